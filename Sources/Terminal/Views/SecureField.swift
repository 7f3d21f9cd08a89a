/// One line of text that is shown as dots.
public struct SecureField: View {
  private let label: String
  private let field: FieldView
  private let error: String?

  /// See ``TextField/init(_:input:isFocused:placeholder:error:onFocus:onEdit:)``.
  public init(
    _ label: String, input: TextInput, isFocused: Bool, placeholder: String = "",
    error: String? = nil, onFocus: @escaping @MainActor () -> Void = {},
    onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.label = label
    self.error = error
    field = FieldView(
      kind: .secure, input: input, isFocused: isFocused, placeholder: placeholder,
      isWrong: error != nil, onFocus: onFocus, onEdit: onEdit)
  }

  /// What the view is made of.
  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}
