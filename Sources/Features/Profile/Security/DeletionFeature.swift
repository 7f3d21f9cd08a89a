import Clients
import Composable
import Domain
import Terminal

/// Deletes the account after the person has typed its name to confirm (AUTH-4).
struct DeletionFeature: Reducer {
  enum Field: FormKey { case name, password }

  struct State: FormState {
    private(set) var snapshot: AccountSnapshot
    var form: Form<Field>

    init(snapshot: AccountSnapshot) {
      self.snapshot = snapshot
      form = Form([.name: TextInput(limit: 200), .password: .secret])
      showFields()
    }

    mutating func show(_ snapshot: AccountSnapshot) {
      let hasNewLocks = snapshot.user.locks != self.snapshot.user.locks
      self.snapshot = snapshot
      if hasNewLocks { showFields() }
    }

    func validate(_ field: Field) throws(ValidationError) {
      let name = snapshot.user.profile.name
      guard field == .name, form[.name].text.trimmingWhitespace() != name else { return }
      throw .confirmation(name)
    }

    private mutating func showFields() {
      let locks = snapshot.user.locks
      form.show([.name] + (locks.contains(.password) ? [.password] : []))
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction<Field>)
    case deleted
    case deletionFailed(ClientError)
  }

  @Dependency(\.authClient) var authClient
  @Dependency(\.dateClient) var dateClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .form(.closeButtonTapped) where state.form.failure == nil: return .dismiss()
    case .form(let action): return state.apply(action, save: delete)

    case .deleted: break

    case .deletionFailed(let error):
      state.form.failed(
        error == .invalidCredentials ? .wrongPassword : error.text(dateClient))
    }
    return .none
  }

  private func delete(_ state: State) -> Effect<Action> {
    let locks = state.snapshot.user.locks
    let password = locks.contains(.password) ? state.form[.password].secret : nil
    return .request(.deleted, or: Action.deletionFailed) { () throws(ClientError) in
      try await authClient.deleteAccount(password)
    }
  }
}

/// The sheet that explains what deleting the account means and asks for its name (AUTH-4).
struct DeletionView: View {
  let store: StoreOf<DeletionFeature>

  var body: some View {
    let fields = FormFields(form: store.form) { store.send(.form($0)) }
    Sheet("Delete the account", width: 72, role: .danger) {
      VStack(alignment: .leading, spacing: 0) {
        Text("This can't be undone. Your profile, contacts, history and notes are deleted.").bold()
        Text(responders)
        if store.snapshot.host == .thisMachine {
          Text("Up to seven daily backups still contain them.").foreground(.dim)
        }
        if store.snapshot.alerts.raisedByHand != nil {
          Text("Your alert is cancelled, and everyone who was sent it is notified.")
            .foreground(.danger)
        }
        Text("")
        Text("Type \(store.snapshot.user.profile.name) to confirm.").foreground(.dim)
        fields.text(.name, "Your name")
        if store.form.shown.contains(.password) { fields.text(.password, "Password") }
        FormOutcome(form: store.form, savingText: "Deleting", send: fields.send)
      }
      .padding(.horizontal, 1)
    }
    .command("enter", "Delete") { store.send(.form(.saveButtonTapped)) }
    .fieldCommands(send: fields.send)
    .command("esc", "Keep the account") { store.send(.form(.closeButtonTapped)) }
  }

  private var responders: String {
    let count = store.snapshot.responderCount
    guard count > 0 else { return "You have no responders to notify." }
    let names =
      count <= 3
      ? store.snapshot.namedResponders.map(\.name).joinedAsList : "Your \(count) responders"
    let verb = count == 1 ? "gets" : "get"
    return "\(names) \(verb) a message that nobody watches you any more."
  }
}

extension DeletionFeature: SheetFeature {
  static let element = pathElement { DeletionFeature() }

  static func delegate(of action: Action) -> DelegateAction? {
    action == .deleted ? .signedOut : nil
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    DeletionView(store: store)
  }
}

extension DeletionFeature.State: SheetState {
  /// Nothing typed here is worth keeping.
  var isChanged: Bool { false }

  var sessionEndReason: SessionEndReason? { form.isSaving ? .deletion : nil }
}
