import Clients
import Composable
import Domain
import Terminal

/// The state of a sheet with a form.
protocol FormState: Equatable, Sendable {
  associatedtype Field: FormKey
  var form: Form<Field> { get set }

  /// Throws what is wrong with a field.
  func validate(_ field: Field) throws(ValidationError)

  /// What to ask about a field that is right, and yet likely not what is meant; `nil` for nothing.
  func doubt(about field: Field) -> String?
}

extension FormState {
  func doubt(about field: Field) -> String? { nil }
}

extension FormState {
  /// What is wrong with a field, whatever else has been typed since.
  var validation: Form<Field>.Validation {
    { (form, field) throws(ValidationError) in
      var typed = self
      typed.form = form
      try typed.validate(field)
    }
  }

  /// Checks every field on screen, and puts the focus on the first that is wrong.
  mutating func isRight() -> Bool { form.isRight(validation) }

  /// Does what a person asked for in the form: saves once every field is right, and closes the sheet.
  mutating func apply<Action>(
    _ action: FormAction<Field>, save: (Self) -> Effect<Action>
  ) -> Effect<Action> {
    if action == .saveButtonTapped, !form.isSaving, isRight() {
      let typed = self
      guard !form.raisesDoubts(typed.doubt(about:)) else { return .none }
    }
    let request = form.apply(action, validate: validation)
    let typed = self
    form.showDoubts(typed.doubt(about:))
    switch request {
    case .save: return save(self)
    case .close: return .dismiss()
    case nil: return .none
    }
  }
}

/// What happens in a sheet that is one form.
enum FormSheetAction<Field: FormKey, Saved, Failure>: Codable, Equatable, Sendable
where
  Saved: Codable & Equatable & Sendable, Failure: AppError & Codable
{
  case form(FormAction<Field>)
  case saved(Saved)
  case saveFailed(Failure)
}

/// A sheet that is one form: what is typed is checked and saved by one request. The feature that presents the
/// sheet takes it away once that is done.
protocol FormFeature: Reducer
where State: FormState, Action == FormSheetAction<State.Field, Saved, Failure>, Body == Never {
  associatedtype Saved: Codable & Equatable & Sendable
  associatedtype Failure: AppError & Codable

  /// Saves what was typed, which is right.
  func save(_ state: State) -> Effect<Action>

  /// Why it could not be saved.
  func text(of error: Failure) -> ErrorText
}

/// What a request without an answer brings.
struct Done: Codable, Equatable, Sendable {}

extension FormFeature {
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action): return state.apply(action, save: save)
    case .saved: state.form.saved()
    case .saveFailed(let error): state.form.failed(text(of: error))
    }
    return .none
  }

  func text(of error: Failure) -> ErrorText { error.text }

  /// Saves by a request.
  static func request(
    _ operation:
      nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Saved
  ) -> Effect<Action> {
    .request(Action.saved, or: Action.saveFailed, operation)
  }
}
