/// Text that can be edited, with its label to the left and what is wrong with it below.
///
/// The text lives in the program's state; the field reports edits. While it has the focus it takes
/// the keys that type and edit before any command sees them; Tab and Esc go on to commands, and so
/// does Enter from a single line.
///
/// The input says what kind of field it is. One that is made with `isMultiline` has several lines,
/// and Enter starts another. One that is made with `isSecure` is shown as dots; the field reports
/// what is typed as ``TextEdit/insertSecurely(_:)``, which no recording holds.
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
  ///   - rows: The rows of several lines: it grows with its text, and then scrolls.
  ///   - onFocus: The field was clicked and wants the focus.
  ///   - onEdit: Gets each edit.
  public init(
    _ label: String, input: TextInput, isFocused: Bool, placeholder: String = "",
    error: String? = nil, rows: ClosedRange<Int> = 3...8,
    onFocus: @escaping @MainActor () -> Void = {}, onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.label = label
    self.error = error
    field = FieldView(
      input: input, isFocused: isFocused, placeholder: placeholder, rows: rows,
      isWrong: error != nil, onFocus: onFocus, onEdit: onEdit)
  }

  /// What the view is made of.
  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}
