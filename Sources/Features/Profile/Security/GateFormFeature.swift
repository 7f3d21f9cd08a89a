import Clients
import Composable
import Domain
import Terminal

/// The form for a new passphrase gate, with a passphrase for duress if one is wanted (CHK-3). Where
/// there is a gate, that one is passed first.
struct GateFormFeature: Reducer {
  enum Field: FormKey {
    case passphrase, repetition, duress, duressRepetition
  }

  struct State: Equatable, Sendable {
    /// Whether the account seems to have a gate.
    let hasGate: Bool
    var form = Form<Field>([
      .passphrase: .secret, .repetition: .secret, .duress: .secret, .duressRepetition: .secret,
    ])
    @Presents var gate: GateFeature.State?

    init(hasGate: Bool) { self.hasGate = hasGate }

    /// What was typed.
    var new: Gate {
      Gate(
        passphrase: form[.passphrase].secret,
        duress: form[.duress].isEmpty ? nil : form[.duress].secret)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved
    case saveFailed(AuthError)
    case gate(PresentationAction<GateFeature.Action>)

    static let gateCase = CasePath(Self.gate) {
      if case .gate(let action) = $0 { action } else { nil }
    }
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.dismiss) var dismiss

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .form(let action):
        switch state.form.apply(action, validate: Self.validate) {
        case .save: return save(&state)
        case .close: return .run { [dismiss] _ in await dismiss() }
        case nil: return .none
        }

      case .saved:
        state.form.saved()
        return .none

      case .saveFailed(.gate(.required)):
        return ask(&state)

      case .saveFailed(let error):
        state.form.failed(error.text(dateClient))
        return .none

      case .gate(.presented(.gateChanged)):
        state.gate = nil
        return .send(.saved)

      case .gate:
        return .none
      }
    }
    .ifLet(\.$gate, action: Action.gateCase) { GateFeature() }
  }

  private func save(_ state: inout State) -> Effect<Action> {
    guard !state.hasGate else { return ask(&state) }
    return .run { [authClient, new = state.new] send in
      do throws(AuthError) {
        try await authClient.updateGate(nil, new)
        await send(.saved)
      } catch {
        await send(.saveFailed(error))
      }
    }
  }

  private func ask(_ state: inout State) -> Effect<Action> {
    state.form.saved()
    state.gate = GateFeature.State(.changeGate(state.new))
    return .none
  }

  static func validate(_ form: Form<Field>, _ field: Field) throws(ValidationError) {
    switch field {
    case .passphrase: _ = try SecretRules.passphrase(form[.passphrase].text)
    case .repetition: try form.requireRepetition(of: .passphrase, in: .repetition)
    case .duress:
      guard !form[.duress].isEmpty else { return }
      _ = try SecretRules.passphrase(form[.duress].text)
      guard (try? SecretRules.passphrase(form[.passphrase].text)) != nil else { return }
      _ = try Gate(passphrase: form[.passphrase].secret, duress: form[.duress].secret).checked()
    case .duressRepetition: try form.requireRepetition(of: .duress, in: .duressRepetition)
    }
  }
}
