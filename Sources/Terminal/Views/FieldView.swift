/// The editable part of a field.
struct FieldView: PrimitiveView {
  let input: TextInput
  let isFocused: Bool
  let placeholder: String
  /// The minimum and maximum number of rows of a multi-line field.
  let rows: ClosedRange<Int>
  /// Whether Enter alone is left to commands.
  let leavesEnter: Bool
  let isWrong: Bool
  let onFocus: @MainActor () -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  /// Reports an edit; in a secure field, in a form that keeps the text out of recordings.
  func edit(_ edit: TextEdit) { onEdit(input.isSecure ? edit.secured : edit) }

  func build(in tree: ViewTree) {
    let node = tree.add(FieldElement(view: self))
    if isFocused {
      let responder = FieldResponder(
        input: input, takes: { step($0) != nil }, handle: handle)
      tree.addResponder(.field(responder), owner: node)
    }
  }

  private func handle(_ event: Event) -> Bool {
    switch event {
    case .key(let press):
      guard let edit = step(press) else { return false }
      self.edit(edit)
      return true
    case .paste(let text):
      edit(.insert(text))
      return true
    default:
      return false
    }
  }

  /// Returns the editing step for a key; `nil` if the key goes to commands.
  private func step(_ press: KeyPress) -> TextEdit? {
    let isEnterAlone = press.key == .enter && press.modifiers.isDisjoint(with: [.alt, .shift])
    return leavesEnter && isEnterAlone ? nil : TextEdit(press, multiline: input.isMultiline)
  }
}
