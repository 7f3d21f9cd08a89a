import Clients
import Composable
import Domain
import Terminal

/// Changes a contact's roles after explaining the consequences (CON-4).
struct RolesFeature: Reducer {
  struct State: ChooserState {
    let contact: Contact
    /// The selection. The row after the last choice stands for no role.
    var position: ListPosition
    /// The roles that wait for confirmation.
    var proposed: Roles?
    var request = Request<Action>()

    static let choices: [Roles] = [.responder, .dependent, [.responder, .dependent]]

    init(contact: Contact) {
      self.contact = contact
      position = ListPosition(selected: Self.choices.firstIndex(of: contact.roles) ?? 0)
    }

    /// The consequences of the proposed roles, a sentence for each.
    var consequences: [String] {
      guard let proposed else { return [] }
      let name = contact.name
      var sentences: [String] = []
      switch (contact.roles.contains(.responder), proposed.contains(.responder)) {
      case (false, true):
        sentences.append("\(name) is notified when you miss a deadline or raise an alert.")
        if contact.link != nil {
          sentences.append(
            "They see your phone, address, emergency note, interval and last check-in, and can ping you."
          )
        }
      case (true, false):
        sentences.append(
          "\(name) is no longer notified when you miss a deadline or raise an alert.")
      default: break
      }
      switch (contact.roles.contains(.dependent), proposed.contains(.dependent)) {
      case (false, true): sentences.append("You respond for \(name).")
      case (true, false):
        sentences.append("You no longer respond for \(name).")
        if contact.link != nil {
          sentences.append("You no longer see how they are, and an open ping is withdrawn.")
        }
      default: break
      }
      if contact.link != nil { sentences.append("\(name) is notified of the change.") }
      return sentences
    }
  }

  enum Action: ChooserAction, Codable, Equatable {
    case moved(ListPosition)
    case chooseButtonTapped
    /// No role was chosen, which means removing the contact (CON-1).
    case noneChosen
    case confirmButtonTapped
    case backButtonTapped
    case closeButtonTapped
    case saved(Contact)
    case saveFailed(ClientError)
  }

  @Dependency(\.contactsClient) var contactsClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position):
      state.position = position
      state.request.failure = nil

    case .chooseButtonTapped:
      guard State.choices.indices.contains(state.position.selected) else {
        return .send(.noneChosen)
      }
      let chosen = State.choices[state.position.selected]
      guard chosen != state.contact.roles else { return .dismiss() }
      if state.contact.link != nil, chosen.contains(.dependent),
        !state.contact.roles.contains(.dependent)
      {
        state.request.fail(ClientError.consentRequired(name: state.contact.name).text)
      } else {
        state.proposed = chosen
      }

    case .confirmButtonTapped:
      guard let roles = state.proposed, !state.request.isRunning else { return .none }
      state.request.begin()
      return save(roles, of: state.contact)

    case .backButtonTapped:
      state.proposed = nil
      state.request.failure = nil

    case .closeButtonTapped: return .dismiss()
    case .saved, .noneChosen: state.request.end()

    case .saveFailed(let error):
      state.request.fail(error.text)
    }
    return .none
  }

  private func save(_ roles: Roles, of contact: Contact) -> Effect<Action> {
    .request(Action.saved, or: Action.saveFailed) { () throws(ClientError) in
      guard contact.link == nil else { return try await contactsClient.setRoles(contact.id, roles) }
      var draft = ContactDraft(contact)
      draft.roles = roles
      return try await contactsClient.update(contact, draft)
    }
  }
}

/// The sheet of roles, then the question that confirms the change.
struct RolesView: View {
  let store: StoreOf<RolesFeature>

  var body: some View {
    if store.proposed != nil {
      confirmation
    } else {
      ChooserSheet(title: "Roles of \(store.contact.name)", width: 56, rows: rows, store: store) {
        if let failure = store.request.failure {
          ErrorView(failure, store, dismiss: .backButtonTapped)
        }
      }
    }
  }

  private var rows: [ChooserRow] {
    RolesFeature.State.choices.map { roles in
      ChooserRow(text: roles.displayText + (roles == store.contact.roles ? "  (now)" : ""))
    } + [ChooserRow(text: "none: remove the contact")]
  }

  private var confirmation: some View {
    store.confirm(
      "Change the roles?", store.consequences.joined(separator: "\n"), no: .backButtonTapped,
      yes: ("Change", .confirmButtonTapped),
      request: store.request, progress: "Saving")
  }
}

extension RolesFeature: SheetFeature {
  static let element = pathElement { RolesFeature() }

  func step(after action: Action, in _: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .saved, .noneChosen: .closing
    default: .none
    }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    RolesView(store: store)
  }
}

extension RolesFeature.State: SheetState {}
