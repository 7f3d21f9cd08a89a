/// Editable text with its label on the left and its error below.
///
/// The text is kept in the program's state; the field reports edits. While it has the focus, it
/// receives typing and editing keys before any command does. Tab and Esc go to commands, as does
/// Enter from a single-line field.
///
/// The input determines the kind of field. With `isMultiline`, it has several lines and Enter
/// starts a new one, unless it is left to commands; then Alt+Enter or Shift+Enter does. With
/// `isSecure`, it is shown as dots, and the field reports typed text as
/// ``TextEdit/insertSecurely(_:)``, which is never recorded.
public struct TextField: View {
  private let label: String
  private let field: FieldView
  private let error: String?

  /// - Parameters:
  ///   - label: The name of the field; empty for none. See ``View/labelWidth(_:)``.
  ///   - input: The text and the cursor.
  ///   - isFocused: Whether keys go to the field.
  ///   - placeholder: An example, shown while the field is empty.
  ///   - error: What is wrong with the text, or `nil`.
  ///   - rows: The range of heights of a multi-line field: it grows with its text, then scrolls.
  ///   - leavesEnter: Whether Enter goes to commands from a multi-line field too.
  ///   - onFocus: Called when a click asks for the focus.
  ///   - onEdit: Receives each edit.
  public init(
    _ label: String, input: TextInput, isFocused: Bool, placeholder: String = "",
    error: String? = nil, rows: ClosedRange<Int> = 3...8, leavesEnter: Bool = false,
    onFocus: @escaping @MainActor () -> Void = {}, onEdit: @escaping @MainActor (TextEdit) -> Void
  ) {
    self.label = label
    self.error = error
    field = FieldView(
      input: input, isFocused: isFocused, placeholder: placeholder, rows: rows,
      leavesEnter: leavesEnter, isWrong: error != nil, onFocus: onFocus, onEdit: onEdit)
  }

  /// The notice that the text was cut to its limit, or `nil` if it wasn't.
  private var cut: String? {
    field.input.isCut ? field.input.limit.map { "Cut to \($0) characters." } : nil
  }

  /// The view's content.
  public var body: some View {
    LabeledField(label: label, error: error ?? cut, field: field)
  }
}
