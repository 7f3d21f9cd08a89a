import Clients
import Composable
import Domain
import Terminal

/// Adding another account by its code or a picture of it: who it belongs to is shown before they are
/// asked (CON-2).
struct CodeEntryFeature: Reducer {
  enum Field: FormKey {
    case code, responder, dependent
  }

  struct State: Equatable, Sendable {
    var form: Form<Field>
    /// Whoever has the code that was typed, while the question whether to ask them is open.
    var found: Found?
    var isAsking = false

    /// - Parameter code: A code that came with a link.
    init(adding role: Roles, code: AccountCode? = nil) {
      form = Form(
        [.code: TextInput(code?.link ?? "", limit: 1_024)],
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

  struct Found: Codable, Equatable, Sendable {
    var code: AccountCode
    var name: String
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case found(Found)
    case failed(ContactsError)
    /// The picture's file could not be read.
    case fileFailed(LocalFileError)
    /// No account's code was found in the picture.
    case pictureFailed(QRCodeError)
    case askButtonTapped
    case backButtonTapped
    /// The other has been asked.
    case requested(Contact)
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.fileClient) var fileClient
  @Dependency(\.qrCodeClient) var qrCodeClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
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

    case .fileFailed(let error):
      state.form.failed(error.text)
      return .none

    case .pictureFailed(let error):
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
    guard let typed = try? TypedCode(parsing: state.form[.code].text) else { return .none }
    return .run { [contactsClient, fileClient, qrCodeClient] send in
      do {
        let code: AccountCode
        switch typed {
        case .code(let known): code = known
        case .picture(let path):
          let picture = try await fileClient.contents(
            fileClient.path(path), QRCodeClient.sizeLimit)
          let text = try await qrCodeClient.text(picture)
          guard let found = try? AccountCode(parsing: text) else { throw QRCodeError.otherCode }
          code = found
        }
        await send(.found(Found(code: code, name: try await contactsClient.lookUp(code))))
      } catch let error as ContactsError {
        await send(.failed(error))
      } catch let error as LocalFileError {
        await send(.fileFailed(error))
      } catch let error as QRCodeError {
        await send(.pictureFailed(error))
      }
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .code: _ = try TypedCode(parsing: form[.code].text)
    case .responder, .dependent:
      if !form.isOn(.responder), !form.isOn(.dependent) { throw .roleRequired }
    }
  }
}
