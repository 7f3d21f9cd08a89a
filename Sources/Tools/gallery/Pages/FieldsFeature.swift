import Composable
import Terminal

/// A form: its inputs, focus and errors.
struct FieldsFeature: Reducer {
  enum Field: Int, CaseIterable, Equatable, Sendable { case name, address, password, note }

  struct State: Equatable, Sendable {
    /// The focused field; `nil` if keys go to the gallery.
    var focus: Field? = .name
    var inputs: [Field: TextInput] = [
      .name: TextInput("Ada Lovelace", limit: 60), .address: TextInput("ada at example", limit: 80),
      .password: TextInput("analytical", limit: 40, isSecure: true),
      .note: TextInput(
        "Key with the neighbour, no 4.\nAllergic to penicillin.", limit: 500, isMultiline: true),
    ]

    func input(_ field: Field) -> TextInput { inputs[field] ?? TextInput() }

    /// Returns the error of a field that doesn't have the focus.
    func error(_ field: Field) -> String? {
      guard field != focus else { return nil }
      switch field {
      case .name: return input(.name).isEmpty ? "A name is needed." : nil
      case .address: return input(.address).text.contains("@") ? nil : "An address has an @."
      case .password: return input(.password).text.count < 8 ? "At least 8 characters." : nil
      case .note: return nil
      }
    }
  }

  enum Action: Equatable, Sendable {
    case edited(Field, TextEdit)
    case focused(Field)
    case moved(Int)
    case left
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .edited(let field, let edit): state.inputs[field]?.apply(edit)
      case .focused(let field): state.focus = field
      case .moved(let step):
        let count = Field.allCases.count
        let start = state.focus?.rawValue ?? (step > 0 ? -1 : count)
        state.focus = Field.allCases[(start + step + count) % count]
      case .left: state.focus = nil
      }
      return .none
    }
  }
}
