/// Something to press: by its key, by Enter or the space bar while it has the focus, or by the
/// mouse.
public struct Button: PrimitiveView {
  private let title: String
  private let key: KeyPress?
  private let role: ThemeRole
  private let isFocused: Bool
  private let isEnabled: Bool
  private let primaryRows: Int?
  private let action: @MainActor () -> Void

  /// - Parameters:
  ///   - title: What it does.
  ///   - key: The key that presses it from anywhere in its layer; it is shown in the button and
  ///     in the help bar.
  ///   - role: Its colour.
  ///   - isFocused: Whether Enter and the space bar press it.
  ///   - isEnabled: Whether it can be pressed.
  ///   - primaryRows: For the one thing to do on a screen: it is filled, and so many rows high.
  ///   - action: Does it.
  public init(
    _ title: String, key: KeyPress? = nil, role: ThemeRole = .accent, isFocused: Bool = false,
    isEnabled: Bool = true, primaryRows: Int? = nil, action: @escaping @MainActor () -> Void
  ) {
    self.title = title
    self.key = key
    self.role = role
    self.isFocused = isFocused
    self.isEnabled = isEnabled
    self.primaryRows = primaryRows
    self.action = action
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    let middle = Text(" ") + keyText(tree.theme) + Text(title + " ")
    Group {
      if let primaryRows {
        // Filled always, so that the focus needs a mark.
        (Text(isFocused ? "▶" : " ") + middle + Text(isFocused ? "◀" : " ")).bold()
          .padding(.horizontal, 2).padding(.vertical, max(0, primaryRows - 1) / 2)
          .background(isEnabled ? role : .inactiveSelection)
      } else {
        // The caps are half cells of the ground's colour, so that the button looks rounded.
        HStack(spacing: 0) {
          Text("▐")
          if isFocused, isEnabled {
            middle.bold().background(role)
          } else {
            middle
          }
          Text("▌")
        }
        .foreground(isEnabled ? role : .dim)
      }
    }
    .lineLimit(1)
    .focused(isFocused)
    .onTap { if isEnabled { action() } }
    .with(commands)
    .build(in: tree)
  }

  private var commands: [Command] {
    var commands: [Command] = []
    if let key {
      commands.append(Command(key: key, title: title, isEnabled: isEnabled, action: action))
    }
    if isFocused, isEnabled {
      for press in ["enter", "space"] as [KeyPress] {
        commands.append(Command(key: press, title: title, isHidden: true, action: action))
      }
    }
    return commands
  }

  private func keyText(_ theme: Theme) -> Text {
    guard let key else { return Text("") }
    return Text(key.displayName(ascii: theme.glyphs != .unicode)).bold() + Text("  ")
  }
}
