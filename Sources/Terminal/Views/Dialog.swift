/// A question above everything else, with its answers as buttons.
public struct Dialog: View {
  private let title: String
  private let message: String
  private let role: ThemeRole
  private let buttons: [DialogButton]
  private let selected: Int
  private let onSelect: (@MainActor (Int) -> Void)?

  /// - Parameters:
  ///   - title: The text in the top edge.
  ///   - message: The question.
  ///   - role: The colour of the border.
  ///   - buttons: The answers, from left to right.
  ///   - selected: The index of the button that Enter presses.
  ///   - onSelect: Receives the index of the button selected with the arrow keys or Tab.
  public init(
    title: String, message: String, role: ThemeRole = .accent, buttons: [DialogButton],
    selected: Int = 0, onSelect: (@MainActor (Int) -> Void)? = nil
  ) {
    self.title = title
    self.message = message
    self.role = role
    self.buttons = buttons
    self.selected = selected
    self.onSelect = onSelect
  }

  /// The view's content.
  public var body: some View {
    ModalView(
      content: ElementView(element: MarginElement(), content: panel)
        .command("left", "Previous", isHidden: true) { move(-1) }
        .command("right", "Next", isHidden: true) { move(1) }
        .command("tab", "Next", isHidden: true) { move(1) }
        .command("shift+tab", "Previous", isHidden: true) { move(-1) })
  }

  private var panel: some View {
    VStack(alignment: .center, spacing: 1) {
      Text(message)
      ViewThatFits {
        HStack(spacing: 2) { buttonViews }
        VStack(alignment: .center) { buttonViews }
      }
    }
    .padding(.horizontal, 2).padding(.vertical, 1)
    .frame(maxWidth: Self.width)
    // A long title must not make the dialog wider than its text.
    .border(title: title, role: role, edgeLimit: Self.width - 2)
    .background(.standard)
  }

  /// The maximum width inside the border, in columns.
  private static var width: Int { 56 }

  private var buttonViews: some View {
    ForEach(0..<buttons.count) { index in
      let button = buttons[index]
      Button(
        button.title, key: button.key, role: button.role, isFocused: index == selected,
        action: button.action)
    }
  }

  private func move(_ step: Int) {
    guard let onSelect, !buttons.isEmpty else { return }
    onSelect((selected + step + buttons.count) % buttons.count)
  }
}
