/// A question above everything else, with its answers as buttons.
public struct Dialog<Footer: View>: View {
  private let title: String
  private let message: String
  private let role: ThemeRole
  private let buttons: [DialogButton]
  private let selected: Int
  private let onSelect: (@MainActor (Int) -> Void)?
  private let footer: Footer

  /// - Parameters:
  ///   - title: The text in the top edge.
  ///   - message: The question.
  ///   - role: The colour of the border.
  ///   - buttons: The answers, from left to right.
  ///   - selected: The index of the button that Enter presses.
  ///   - onSelect: Receives the index of the button selected with the arrow keys or Tab.
  ///   - footer: What is shown between the question and its answers, such as an error.
  public init(
    title: String, message: String, role: ThemeRole = .accent, buttons: [DialogButton],
    selected: Int = 0, onSelect: (@MainActor (Int) -> Void)? = nil,
    @ViewBuilder footer: () -> Footer
  ) {
    self.title = title
    self.message = message
    self.role = role
    self.buttons = buttons
    self.selected = selected
    self.onSelect = onSelect
    self.footer = footer()
  }

  /// Creates a dialog with nothing between the question and its answers.
  public init(
    title: String, message: String, role: ThemeRole = .accent, buttons: [DialogButton],
    selected: Int = 0, onSelect: (@MainActor (Int) -> Void)? = nil
  ) where Footer == EmptyView {
    self.init(
      title: title, message: message, role: role, buttons: buttons, selected: selected,
      onSelect: onSelect, footer: { EmptyView() })
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
      footer
      ViewThatFits {
        HStack(spacing: 2) { buttonViews }
        VStack(alignment: .center) { buttonViews }
      }
    }
    .padding(.horizontal, 2).padding(.vertical, 1)
    .frame(maxWidth: dialogWidth)
    // A long title must not make the dialog wider than its text.
    .border(title: title, role: role, edgeLimit: dialogWidth - 2)
    .background(.standard)
  }

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

/// The maximum width inside the border of a dialog, in columns.
private let dialogWidth = 56

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
  ///   - action: Carries out what the button says.
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
