import Clients
import Composable
import Domain
import Terminal

/// Takes a contact at their word that they do not want to be one: the person types the code that they
/// sent (CON-3).
struct DecliningFeature: Reducer {
  enum Field: FormKey { case code }

  struct State: Equatable, Sendable {
    let name: String
    var form = Form<Field>([.code: TextInput(limit: 40)])

    init(name: String) { self.name = name }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case declined(Contact)
    case failed(ContactsError)
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      switch state.form.apply(action, validate: { _, _ throws(ValidationError) in }) {
      case .save:
        return .run { [contactsClient, code = state.form[.code].secret] send in
          do throws(ContactsError) {
            await send(.declined(try await contactsClient.declineByCode(code)))
          } catch {
            await send(.failed(error))
          }
        }
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }
    case .declined:
      state.form.saved()
      return .none
    case .failed(let error):
      state.form.failed(error.text)
      return .none
    }
  }
}
