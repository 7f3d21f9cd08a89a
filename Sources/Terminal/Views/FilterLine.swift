/// The line in which a list's filter is typed: `/ part of a name`.
public struct FilterLine: View {
  private let input: TextInput
  private let isFocused: Bool
  private let prompt: String
  private let onFocus: @MainActor () -> Void
  private let onEdit: @MainActor (TextEdit) -> Void

  /// - Parameters:
  ///   - input: What has been typed.
  ///   - isFocused: Whether keys go to the line.
  ///   - prompt: What to type, shown while the line is empty.
  ///   - onFocus: The line was clicked and wants the focus.
  ///   - onEdit: Gets each edit.
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

  /// What the view is made of.
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
  /// Lets a list be narrowed by typing: `/` opens a line above it, Enter goes back to the list, Esc
  /// shows all rows again.
  ///
  /// - Parameters:
  ///   - filter: What is typed. The rows that it leaves are the program's part.
  ///   - prompt: What to type, shown while the line is empty.
  ///   - onAction: Gets what the person does, for ``ListFilter/apply(_:)``.
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
