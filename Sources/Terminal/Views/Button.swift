/// A button, pressed by its key, by Enter or Space while it has the focus, or by a click.
public struct Button: PrimitiveView {
  private let title: String
  private let key: KeyPress?
  private let role: ThemeRole
  private let isFocused: Bool
  private let isEnabled: Bool
  private let primaryRows: Int?
  private let action: @MainActor () -> Void

  /// - Parameters:
  ///   - title: What the button does.
  ///   - key: The key that presses the button from anywhere in its layer; shown in the button and
  ///     in the help bar.
  ///   - role: The button's colour.
  ///   - isFocused: Whether Enter and Space press the button.
  ///   - isEnabled: Whether the button can be pressed.
  ///   - primaryRows: The height in rows if this is the main action of the screen, drawn filled;
  ///     `nil` for an ordinary button.
  ///   - action: Called when the button is pressed.
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

  /// Adds the view to the tree of the current frame.
  public func build(in tree: ViewTree) {
    let middle = Text(" ") + keyText(tree.theme) + Text(title + " ")
    Group {
      if let primaryRows {
        // A primary button is always filled, so the focus needs its own mark.
        (Text(isFocused ? "▶" : " ") + middle + Text(isFocused ? "◀" : " ")).bold()
          .padding(.horizontal, 2).padding(.vertical, max(0, primaryRows - 1) / 2)
          .background(isEnabled ? role : .inactiveSelection)
      } else {
        // Half-cell caps in the background colour make the button look rounded.
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
