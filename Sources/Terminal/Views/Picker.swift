/// One of a few choices on a line: `every  ‹ 24 h ›`. Left and right change it while it has the
/// focus; a click takes the next one.
public struct Picker: PrimitiveView {
  private let label: String
  private let choices: [String]
  private let selected: Int
  private let isFocused: Bool
  private let onChange: @MainActor (Int) -> Void

  /// - Parameters:
  ///   - label: What is chosen; empty for none. See ``View/labelWidth(_:)``.
  ///   - choices: What there is to choose from.
  ///   - selected: The index of the choice made.
  ///   - isFocused: Whether keys go to the picker.
  ///   - onChange: Gets the index of another choice.
  public init(
    _ label: String, choices: [String], selected: Int, isFocused: Bool = false,
    onChange: @escaping @MainActor (Int) -> Void
  ) {
    self.label = label
    self.choices = choices
    self.selected = choices.isEmpty ? 0 : min(max(0, selected), choices.count - 1)
    self.isFocused = isFocused
    self.onChange = onChange
  }

  /// Adds the view to the tree of the frame.
  public func build(in tree: ViewTree) {
    HStack(spacing: 1) {
      if !label.isEmpty {
        FieldLabel(text: label, role: isFocused ? .accent : .dim)
      }
      FocusableLine(isFocused: isFocused) {
        (Text("‹ ").foreground(.dim) + Text(choices.isEmpty ? "" : choices[selected])
          + Text(" ›").foreground(.dim)).lineLimit(1)
      }
      .focused(isFocused)
      .onTap { move(1, wraps: true) }
    }
    .with(commands)
    .build(in: tree)
  }

  private var commands: [Command] {
    guard isFocused else { return [] }
    return [
      Command(key: "left", title: "Previous choice", isHidden: true) { move(-1) },
      Command(key: "right", title: "Next choice") { move(1) },
      Command(key: "space", title: "Next choice", isHidden: true) { move(1, wraps: true) },
    ]
  }

  private func move(_ step: Int, wraps: Bool = false) {
    guard !choices.isEmpty else { return }
    var next = selected + step
    if wraps { next = (next + choices.count) % choices.count }
    next = min(max(0, next), choices.count - 1)
    if next != selected { onChange(next) }
  }
}
