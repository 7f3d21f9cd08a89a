import Clients
import Composable
import Domain
import Terminal

/// The form for a new passphrase gate with an optional duress passphrase (CHK-3).
struct GateFormFeature: Reducer {
  enum Field: FormKey { case passphrase, repetition, duress, duressRepetition }

  struct State: FormState {
    /// Whether the account appeared to have a gate when the form opened.
    let hasGate: Bool
    var form = Form<Field>([
      .passphrase: .secret, .repetition: .secret, .duress: .secret, .duressRepetition: .secret,
    ])

    func validate(_ field: Field) throws(ValidationError) {
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

    /// The gate that was typed.
    var new: Gate {
      Gate(
        passphrase: form[.passphrase].secret,
        duress: form[.duress].isEmpty ? nil : form[.duress].secret)
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case saved
    case saveFailed(ClientError)
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(let action): return state.apply(action, save: save)
    case .saved: state.form.saved()
    case .saveFailed(let error): state.form.failed(error.text(dateClient))
    }
    return .none
  }

  private func save(_ state: State) -> Effect<Action> {
    .request(.saved, or: Action.saveFailed) { [new = state.new] () throws(ClientError) in
      try await authClient.updateGate(new)
    }
  }
}

/// The sheet for a new passphrase gate, which explains the duress passphrase.
struct GateFormView: View {
  let store: StoreOf<GateFormFeature>

  var body: some View {
    FormSheet(
      store.hasGate ? "Change the passphrase gate" : "Set a passphrase gate", width: 72,
      form: store.form, send: { store.send(.form($0)) }
    ) { fields in
      Text(
        "It is asked for before anything that postpones or weakens help: a check-in, cancelling an alert, a"
          + " pause, removing a responder, and more."
      )
      .foreground(.dim)
      Text("")
      fields.text(.passphrase, "Passphrase", "at least 4 characters")
      fields.text(.repetition, "Repeat it")
      Text("")
      Text(
        "A duress passphrase is for when someone forces you: it looks the same, but your responders are"
          + " silently notified. If mail is sent from your own mailbox, a copy may appear in your Sent"
          + " folder: give each another channel, such as ntfy. To end a silent alert, press Ctrl-P on"
          + " Profile and type silent."
      )
      .foreground(.dim)
      Text("")
      fields.text(.duress, "Under duress", "another one, optional")
      fields.text(.duressRepetition, "Repeat it")
    }
  }
}

extension GateFormFeature: SheetFeature {
  static let element = pathElement { GateFormFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved: .closing
    default: .none
    }
  }

  static func delegate(of action: Action) -> DelegateAction? { action == .saved ? .queued : nil }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    GateFormView(store: store)
  }
}

extension GateFormFeature.State: SheetState {}
