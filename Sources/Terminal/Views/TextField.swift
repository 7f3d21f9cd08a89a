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

  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}

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

  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}

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

  public var body: some View {
    LabeledField(label: label, error: error, field: field)
  }
}

/// A field with its label to the left and its error below.
struct LabeledField: PrimitiveView {
  let label: String
  let error: String?
  let field: FieldView

  func build(in tree: ViewTree) {
    HStack(spacing: 1) {
      if !label.isEmpty {
        FieldLabel(text: label, role: field.isFocused ? .accent : .dim)
      }
      VStack {
        field
        if let error {
          Text("! " + error).foreground(.danger)
        }
      }
    }
    .build(in: tree)
  }
}

extension View {
  /// The columns that the labels of fields take, so that the fields of a form stand in line.
  public func labelWidth(_ columns: Int?) -> some View {
    EnvironmentView(content: self) { $0.labelWidth = columns }
  }
}
