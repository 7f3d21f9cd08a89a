/// The editable part of a field.
struct FieldView: PrimitiveView {
  let input: TextInput
  let isFocused: Bool
  let placeholder: String
  /// The minimum and maximum number of rows of a multi-line field.
  let rows: ClosedRange<Int>
  let isWrong: Bool
  let onFocus: @MainActor () -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  /// Reports an edit; in a secure field, in a form that keeps the text out of recordings.
  func edit(_ edit: TextEdit) { onEdit(input.isSecure ? edit.secured : edit) }

  func build(in tree: ViewTree) {
    let node = tree.add(FieldElement(view: self))
    if isFocused {
      let responder = FieldResponder(
        input: input, takes: { TextEdit($0, multiline: input.isMultiline) != nil }, handle: handle)
      tree.addResponder(.field(responder), owner: node)
    }
  }

  private func handle(_ event: Event) -> Bool {
    switch event {
    case .key(let press):
      guard let edit = TextEdit(press, multiline: input.isMultiline) else { return false }
      self.edit(edit)
      return true
    case .paste(let text):
      edit(.insert(text))
      return true
    default:
      return false
    }
  }
}
