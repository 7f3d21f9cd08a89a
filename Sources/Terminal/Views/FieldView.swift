/// The part of a field that is edited.
struct FieldView: PrimitiveView {
  enum Kind {
    case plain
    case secure
    case multiline(minHeight: Int, maxHeight: Int)
  }
  let kind: Kind
  let input: TextInput
  let isFocused: Bool
  let placeholder: String
  let isWrong: Bool
  let onFocus: @MainActor () -> Void
  let onEdit: @MainActor (TextEdit) -> Void

  var isMultiline: Bool {
    if case .multiline = kind { true } else { false }
  }

  /// Whether dots are shown in place of the text.
  var isSecure: Bool {
    if case .secure = kind { true } else { input.isSecure }
  }

  /// Makes a step, in a way that a secure text stays secure.
  func edit(_ edit: TextEdit) { onEdit(isSecure ? edit.secured : edit) }

  func build(in tree: ViewTree) {
    let node = tree.add(FieldElement(view: self))
    if isFocused {
      let responder = FieldResponder(
        takes: { TextEdit($0, multiline: isMultiline) != nil }, handle: handle)
      tree.addResponder(.field(responder), owner: node)
    }
  }

  private func handle(_ event: Event) -> Bool {
    switch event {
    case .key(let press):
      guard let edit = TextEdit(press, multiline: isMultiline) else { return false }
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
