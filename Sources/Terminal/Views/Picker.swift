/// A choice on a single line: `every  ‹ 24 h ›`. While it has the focus, Left and Right change it;
/// a click selects the next choice.
public struct Picker: PrimitiveView {
  private let label: String
  private let choices: [String]
  private let selected: Int
  private let isFocused: Bool
  private let onChange: @MainActor (Int) -> Void
  private let onType: (@MainActor (TextEdit) -> Void)?

  /// - Parameters:
  ///   - label: What is being chosen; empty for none. See ``View/labelWidth(_:)``.
  ///   - choices: The options.
  ///   - selected: The index of the current choice.
  ///   - isFocused: Whether keys go to the picker.
  ///   - onChange: Receives the index of the new choice.
  ///   - onType: Receives text typed while the picker has the focus, for a field that belongs to
  ///     it.
  public init(
    _ label: String, choices: [String], selected: Int, isFocused: Bool = false,
    onChange: @escaping @MainActor (Int) -> Void,
    onType: (@MainActor (TextEdit) -> Void)? = nil
  ) {
    self.label = label
    self.choices = choices
    self.selected = choices.isEmpty ? 0 : min(max(0, selected), choices.count - 1)
    self.isFocused = isFocused
    self.onChange = onChange
    self.onType = onType
  }

  /// Adds the view to the tree of the current frame.
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
    .typing(isFocused && onType != nil ? typeAhead : nil)
    .build(in: tree)
  }

  /// Passes typed text on. The picker has no cursor of its own, so all other keys stay commands.
  private func typeAhead(_ event: Event) -> Bool {
    switch event {
    case .key(let press) where press == "space": move(1, wraps: true)
    case .key(let press):
      guard let text = press.text else { return false }
      onType?(.insert(String(text)))
    case .paste(let text): onType?(.insert(text))
    default: return false
    }
    return true
  }

  private var commands: [Command] {
    guard isFocused else { return [] }
    return [
      Command(key: "left", title: "Previous choice", isHidden: true) { move(-1) },
      Command(key: "right", title: "Next choice", isHidden: selected >= choices.count - 1) {
        move(1)
      },
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

extension View {
  /// Passes typed text to a view that isn't a field but has an associated one.
  fileprivate func typing(_ handle: (@MainActor (Event) -> Bool)?) -> some View {
    TypingView(content: self, handle: handle)
  }
}

private struct TypingView<Content: View>: PrimitiveView {
  let content: Content
  let handle: (@MainActor (Event) -> Bool)?

  func build(in tree: ViewTree) {
    guard let handle else { return content.build(in: tree) }
    let node = tree.addWrapping(TransparentElement()) { content.build(in: tree) }
    let field = FieldResponder(takes: { $0.text != nil && $0 != "space" }, handle: handle)
    tree.addResponder(.field(field), owner: node)
  }
}

/// A line with the selection's background while it has the focus.
struct FocusableLine<Content: View>: View {
  let isFocused: Bool
  @ViewBuilder let content: () -> Content

  var body: some View {
    if isFocused {
      content().padding(.horizontal, 1).background(.selection)
    } else {
      content().padding(.horizontal, 1)
    }
  }
}
