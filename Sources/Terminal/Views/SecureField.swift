/// One line of text that is shown as dots.
///
/// It reports what is typed as ``TextEdit/insertSecurely(_:)``, which no recording holds. Make its
/// input with `isSecure`, so that no description of the state holds it either.
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
