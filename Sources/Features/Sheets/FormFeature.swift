import Clients
import Composable
import Domain
import Terminal

/// The state of a sheet with a form.
protocol FormState: Equatable, Sendable {
  associatedtype Field: FormKey
  var form: Form<Field> { get set }

  /// Throws if a field is invalid.
  func validate(_ field: Field) throws(ValidationError)

  /// A question about a field that is valid but looks like a mistake, or `nil`.
  func doubt(about field: Field) -> String?
}

extension FormState {
  func doubt(about field: Field) -> String? { nil }
}

extension FormState {
  /// Validates a field of the given form in place of ``form``.
  var validation: Form<Field>.Validation {
    { (form, field) throws(ValidationError) in
      var typed = self
      typed.form = form
      try typed.validate(field)
    }
  }

  /// Validates every field on screen and focuses the first invalid one.
  mutating func isRight() -> Bool { form.isRight(validation) }

  /// Applies an action to the form. Calls `save` once every field is valid and doubts have been
  /// shown, and dismisses the sheet when it is closed.
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

/// The actions of a sheet that is a single form.
enum FormSheetAction<Field: FormKey, Saved, Failure>: Codable, Equatable, Sendable
where
  Saved: Codable & Equatable & Sendable, Failure: AppError & Codable
{
  case form(FormAction<Field>)
  case saved(Saved)
  case saveFailed(Failure)
}

/// A sheet that is a single form, saved by one request. The feature that presents the sheet removes
/// it once that is done.
protocol FormFeature: Reducer
where State: FormState, Action == FormSheetAction<State.Field, Saved, Failure>, Body == Never {
  associatedtype Saved: Codable & Equatable & Sendable
  associatedtype Failure: AppError & Codable

  /// Saves the form, whose fields are all valid.
  func save(_ state: State) -> Effect<Action>

  /// The text for an error that kept the form from being saved.
  func text(of error: Failure) -> ErrorText
}

/// The result of a request that returns nothing.
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

  /// Makes the effect that saves the form with `operation`.
  static func request(
    _ operation:
      nonisolated(nonsending) @escaping @Sendable () async throws(Failure) -> Saved
  ) -> Effect<Action> {
    .request(Action.saved, or: Action.saveFailed, operation)
  }
}
