/// The line into which a list's filter is typed: `/ part of a name`.
public struct FilterLine: View {
  private let input: TextInput
  private let isFocused: Bool
  private let prompt: String
  private let onFocus: @MainActor () -> Void
  private let onEdit: @MainActor (TextEdit) -> Void

  /// - Parameters:
  ///   - input: The text typed so far.
  ///   - isFocused: Whether keys go to the line.
  ///   - prompt: The placeholder shown while the line is empty.
  ///   - onFocus: Called when a click asks for the focus.
  ///   - onEdit: Receives each edit.
  public init(
    input: TextInput, isFocused: Bool, prompt: String,
    onFocus: @escaping @MainActor () -> Void, onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.input = input
    self.isFocused = isFocused
    self.prompt = prompt
    self.onFocus = onFocus
    self.onEdit = onEdit
  }

  /// The view's content.
  public var body: some View {
    HStack(spacing: 1) {
      Text("/").foreground(.accent)
      TextField(
        "", input: input, isFocused: isFocused, placeholder: prompt, onFocus: onFocus,
        onEdit: onEdit)
    }
    .padding(.horizontal, 1)
  }
}

extension View {
  /// Lets the user filter a list: `/` opens a line above it, Enter returns to the list, Esc shows
  /// all rows again.
  ///
  /// - Parameters:
  ///   - filter: The state of the filter. The program itself filters the rows.
  ///   - prompt: The placeholder shown while the line is empty.
  ///   - onAction: Receives the user's actions, for ``ListFilter/apply(_:)``.
  public func filterable(
    by filter: ListFilter, prompt: String = "part of a name",
    onAction: @escaping @MainActor (ListFilter.Action) -> Void
  ) -> some View {
    var commands = [
      Command(
        key: "/", title: "Filter", fullTitle: "Filter the list", isAboutSelection: true
      ) { onAction(.begin) }
    ]
    if filter.isEditing {
      commands.append(Command(key: "enter", title: "To the list") { onAction(.accept) })
    }
    if filter.isShown {
      commands.append(Command(key: "esc", title: "Show all") { onAction(.close) })
    }
    return VStack {
      if filter.isShown {
        FilterLine(
          input: filter.input, isFocused: filter.isEditing, prompt: prompt,
          onFocus: { onAction(.begin) }, onEdit: { onAction(.edit($0)) })
      }
      self
    }
    .with(commands)
  }
}
