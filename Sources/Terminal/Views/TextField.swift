/// One line of text that can be edited, with its label to the left and what is wrong with it
/// below.
///
/// The text lives in the program's state; the field reports edits. While it has the focus it takes
/// the keys that type and edit before any command sees them; Tab, Enter and Esc go on to commands.
public struct TextField: View {
  private let label: String
  private let field: FieldView
  private let error: String?

  /// - Parameters:
  ///   - label: What the text is; empty for none. See ``View/labelWidth(_:)``.
  ///   - input: The text.
  ///   - isFocused: Whether keys go to the field.
  ///   - placeholder: An example, shown while the field is empty.
  ///   - error: What is wrong with the text.
  ///   - onFocus: The field was clicked and wants the focus.
  ///   - onEdit: Gets each edit.
  public init(
    _ label: String, input: TextInput, isFocused: Bool, placeholder: String = "",
    error: String? = nil, onFocus: @escaping @MainActor () -> Void = {},
    onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.label = label
    self.error = error
    field = FieldView(
      kind: .plain, input: input, isFocused: isFocused, placeholder: placeholder,
      isWrong: error != nil, onFocus: onFocus, onEdit: onEdit)
  }

  /// What the view is made of.
  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}
