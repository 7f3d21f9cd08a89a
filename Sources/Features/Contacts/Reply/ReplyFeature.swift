import Clients
import Composable
import Domain
import Terminal

/// Takes the code that somebody sent back who got a message: the person types for them that they take
/// care of the alert, or want to be no contact (ESC-2, CON-3).
struct ReplyFeature: Reducer {
  enum Field: FormKey { case code }

  struct State: Equatable, Sendable {
    var form = Form<Field>([.code: TextInput(limit: 64)])

  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case answered(Response)
    case failed(ResponseError)
  }

  @Dependency(\.responseClient) var responseClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      switch state.form.apply(action, validate: Self.validate) {
      case .save:
        return .run { [responseClient, code = state.form[.code].text] send in
          do throws(ResponseError) {
            await send(.answered(try await responseClient.respond(code)))
          } catch {
            await send(.failed(error))
          }
        }
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .answered:
      state.form.saved()
      return .none

    case .failed(let error):
      state.form.failed(error.text)
      return .none
    }
  }

  /// A code that cannot be one is not asked for: wrong ones are counted (AUTH-3).
  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    guard ResponseCode.isPlausible(form[field].text) else { throw .responseCode }
  }
}
