import Clients
import Composable
import Domain
import Terminal

/// Deleting the account, after the name was typed to confirm it (AUTH-4).
struct DeletionFeature: Reducer {
  enum Field: FormKey {
    case name, password, passphrase
  }

  struct State: Equatable, Sendable {
    private(set) var snapshot: AccountSnapshot
    var form: Form<Field>

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      form = Form([.name: TextInput(limit: 200), .password: .secret, .passphrase: .secret])
      showFields()
    }

    mutating func show(_ snapshot: AccountSnapshot) {
      let hasNewLocks = snapshot.user.locks != self.snapshot.user.locks
      self.snapshot = snapshot
      if hasNewLocks { showFields() }
    }

    private mutating func showFields() {
      let locks = snapshot.user.locks
      form.show(
        [.name] + (locks.contains(.password) ? [.password] : [])
          + (locks.contains(.gate) ? [.passphrase] : []))
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case deleted
    case deletionFailed(AuthError)
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(.closeButtonTapped):
      return .run { [dismiss] _ in await dismiss() }

    case .form(let action):
      let name = state.snapshot.user.profile.name
      let request = state.form.apply(action) { form, field throws(ValidationError) in
        guard field == .name, form[.name].text.trimmingWhitespace() != name else { return }
        throw .confirmation(name)
      }
      return request == .save ? delete(state) : .none

    case .deleted:
      return .none

    case .deletionFailed(let error):
      state.form.failed(
        error == .invalidCredentials ? .wrongPassword : error.text(dateClient))
      return .none
    }
  }

  private func delete(_ state: State) -> Effect<Action> {
    let locks = state.snapshot.user.locks
    let password = locks.contains(.password) ? state.form[.password].secret : nil
    let passphrase = locks.contains(.gate) ? state.form[.passphrase].secret : nil
    return .run { [authClient] send in
      do throws(AuthError) {
        try await authClient.deleteAccount(password, passphrase)
        await send(.deleted)
      } catch {
        await send(.deletionFailed(error))
      }
    }
  }
}
