/// An option that is on or off: `[x] Reduced motion`. Space and Enter change it while it has the
/// focus; a click always does.
public struct Toggle: PrimitiveView {
  private let title: String
  private let isOn: Bool
  private let isFocused: Bool
  private let onChange: @MainActor (Bool) -> Void

  /// - Parameters:
  ///   - title: The option.
  ///   - isOn: Whether it is on.
  ///   - isFocused: Whether keys go to it.
  ///   - onChange: Receives the new value.
  public init(
    _ title: String, isOn: Bool, isFocused: Bool = false,
    onChange: @escaping @MainActor (Bool) -> Void
  ) {
    self.title = title
    self.isOn = isOn
    self.isFocused = isFocused
    self.onChange = onChange
  }

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    let change: @MainActor () -> Void = { onChange(!isOn) }
    let commands =
      isFocused
      ? (["space", "enter"] as [KeyPress]).map {
        Command(
          key: $0, title: isOn ? "Switch off" : "Switch on", isHidden: $0 != "space", action: change
        )
      } : []
    FocusableLine(isFocused: isFocused) {
      (Text(isOn ? "[x] " : "[ ] ").foreground(isOn ? .calm : .dim) + Text(title)).lineLimit(1)
    }
    .focused(isFocused)
    .onTap(perform: change)
    .with(commands)
    .build(in: tree)
  }
}
