public import Clients
public import Composable
public import Domain
import Terminal

/// Adding another account by its code: who it belongs to is shown before they are asked (CON-2).
public struct CodeEntryFeature: Reducer {
  public enum Field: FormKey {
    case code, responder, dependent
  }

  public struct State: Equatable, Sendable {
    public var form: Form<Field>
    /// Whoever has the code that was typed, while the question whether to ask them is open.
    public var found: Found?
    public var isAsking = false

    /// - Parameter code: A code that came with a link.
    public init(adding role: Roles, code: AccountCode? = nil) {
      form = Form(
        [.code: TextInput(code?.link ?? "", limit: 256)],
        toggles: [
          .responder: role.contains(.responder), .dependent: role.contains(.dependent),
        ])
    }

    var roles: Roles {
      var roles: Roles = []
      if form.isOn(.responder) { roles.insert(.responder) }
      if form.isOn(.dependent) { roles.insert(.dependent) }
      return roles
    }
  }

  public struct Found: Codable, Equatable, Sendable {
    public var code: AccountCode
    public var name: String
  }

  public enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case found(Found)
    case failed(ContactsError)
    case askButtonTapped
    case backButtonTapped
    /// The other has been asked.
    case requested(Contact)
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.dismiss) var dismiss

  public init() {}

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action):
      switch state.form.apply(action, validate: Self.validate) {
      case .save: return lookUp(state)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .found(let found):
      state.form.saved()
      state.found = found
      return .none

    case .failed(let error):
      state.found = nil
      state.isAsking = false
      state.form.failed(error.text)
      return .none

    case .askButtonTapped:
      guard let found = state.found, !state.isAsking else { return .none }
      state.isAsking = true
      return .run { [contactsClient, roles = state.roles] send in
        do throws(ContactsError) {
          await send(.requested(try await contactsClient.request(found.code, roles)))
        } catch {
          await send(.failed(error))
        }
      }

    case .backButtonTapped:
      state.found = nil
      return .none

    case .requested:
      state.isAsking = false
      return .none
    }
  }

  private func lookUp(_ state: State) -> Effect<Action> {
    guard let code = try? AccountCode(parsing: state.form[.code].text) else { return .none }
    return .run { [contactsClient] send in
      do throws(ContactsError) {
        await send(.found(Found(code: code, name: try await contactsClient.lookUp(code))))
      } catch {
        await send(.failed(error))
      }
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .code: _ = try AccountCode(parsing: form[.code].text)
    case .responder, .dependent:
      if !form.isOn(.responder), !form.isOn(.dependent) { throw .roleRequired }
    }
  }
}
