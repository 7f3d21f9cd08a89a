import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// “Who watches if this computer is off?” (WCH-2)
struct StandbyFeature: Reducer {
  enum Field: FormKey {
    case heartbeat, topic
  }

  struct State: Equatable, Sendable {
    /// `nil` until what is set is read.
    var form: Form<Field>?
    /// Why it could not be read.
    var failure: ErrorText?

    /// What was typed; `nil` while a field is not right.
    var standby: Standby? {
      form.flatMap { try? Standby(validating: $0[.heartbeat].text, topic: $0[.topic].text) }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case loaded(Standby)
    case loadFailed(UserError)
    case form(FormAction<Field>)
    /// Fills in a topic that nobody can guess.
    case newTopicButtonTapped
    case closeButtonTapped
    case saved(Standby)
    case saveFailed(UserError)
  }

  @Dependency(\.standbyClient) var standbyClient
  @Dependency(\.uuid) var uuid
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      state.failure = nil
      return .run { [standbyClient] send in
        do throws(UserError) {
          await send(.loaded(try await standbyClient.standby()))
        } catch {
          await send(.loadFailed(error))
        }
      }

    case .loaded(let standby):
      state.form = Form([
        .heartbeat: TextInput(standby.heartbeat ?? "", limit: 2_000),
        .topic: TextInput(standby.topic ?? "", limit: 2_000),
      ])
      return .none

    case .loadFailed(let error):
      state.failure = error.text
      return .none

    case .form(let action):
      switch state.form?.apply(action, validate: Self.validate) {
      case .save: return save(state)
      case .close: return .run { [dismiss] _ in await dismiss() }
      case nil: return .none
      }

    case .newTopicButtonTapped:
      // As hard to guess as a password: whoever knows a topic may read it.
      let topic = uuid().uuidString.lowercased().replacing("-", with: "")
      state.form?.replace(.topic, with: "https://ntfy.sh/\(topic)")
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }

    case .saved:
      state.form?.saved()
      return .none

    case .saveFailed(let error):
      state.form?.failed(error.text)
      return .none
    }
  }

  private func save(_ state: State) -> Effect<Action> {
    guard let standby = state.standby else { return .none }
    return .run { [standbyClient] send in
      do throws(UserError) {
        try await standbyClient.update(standby)
        await send(.saved(standby))
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .heartbeat: _ = try Standby(validating: form[field].text, topic: "")
    case .topic: _ = try Standby(validating: "", topic: form[field].text)
    }
  }
}

extension Form {
  /// Puts a text into a field as if it had been typed over what was there.
  fileprivate mutating func replace(_ field: Field, with text: String) {
    focus = field
    self[field].apply(.selectAll)
    self[field].apply(.insert(text))
    touched.remove(field)
    errors[field] = nil
  }
}
