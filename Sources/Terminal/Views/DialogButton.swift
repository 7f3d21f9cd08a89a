/// A button of a ``Dialog``.
public struct DialogButton {
  let title: String
  let key: KeyPress?
  let role: ThemeRole
  let action: @MainActor () -> Void

  /// - Parameters:
  ///   - title: What the button does.
  ///   - key: The key that presses the button.
  ///   - role: The button's colour; `danger` if the action can't be undone.
  public init(
    _ title: String, key: KeyPress? = nil, role: ThemeRole = .accent,
    action: @escaping @MainActor () -> Void
  ) {
    self.title = title
    self.key = key
    self.role = role
    self.action = action
  }
}
