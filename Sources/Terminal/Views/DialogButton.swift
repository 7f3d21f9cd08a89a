/// A button of a ``Dialog``.
public struct DialogButton {
  let title: String
  let key: KeyPress?
  let role: ThemeRole
  let action: @MainActor () -> Void

  /// - Parameters:
  ///   - title: What it does.
  ///   - key: The key that presses it.
  ///   - role: Its colour; `danger` where it cannot be taken back.
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
