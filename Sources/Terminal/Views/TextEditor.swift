/// Several lines of text that can be edited. Enter starts a new line.
public struct TextEditor: View {
  private let label: String
  private let field: FieldView
  private let error: String?

  /// See ``TextField/init(_:input:isFocused:placeholder:error:onFocus:onEdit:)``.
  /// - Parameter minHeight: The rows that it takes at least; it grows with its text.
  /// - Parameter maxHeight: The rows after which it scrolls.
  public init(
    _ label: String, input: TextInput, isFocused: Bool, placeholder: String = "",
    error: String? = nil, minHeight: Int = 3, maxHeight: Int = 8,
    onFocus: @escaping @MainActor () -> Void = {},
    onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.label = label
    self.error = error
    field = FieldView(
      kind: .multiline(minHeight: max(1, minHeight), maxHeight: max(minHeight, maxHeight, 1)),
      input: input, isFocused: isFocused, placeholder: placeholder, isWrong: error != nil,
      onFocus: onFocus, onEdit: onEdit)
  }

  /// What the view is made of.
  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}
