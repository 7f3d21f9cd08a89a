import Clients
import Composable
import Domain
import Terminal

/// The contacts of one role: the list with its filter, and the sheets for details, adding and
/// editing. The Responders and Dependents tabs both use it.
struct ContactListFeature: Reducer {
  struct State: Equatable, Sendable {
    let role: Roles
    private(set) var snapshot: AccountSnapshot
    var position = ListPosition(selected: 0)
    var filter = ListFilter() { didSet { narrow() } }
    @Shared(.terminalSettings) private var settings = TerminalSettings()
    private(set) var order: ContactOrder { didSet { arrange() } }
    /// All contacts of the role, in the chosen order.
    fileprivate var arranged: [Contact] = []
    /// The contacts that match the filter.
    private(set) var rows: [Contact] = []
    /// A contact that was just saved and is selected once the store's list includes it.
    var awaited: Contact.ID?
    @Presents var destination: Destination.State?

    init(role: Roles, snapshot: AccountSnapshot) {
      self.role = role
      self.snapshot = snapshot
      order = ContactOrder.choices(for: role)[0]
      order = settings.lists[role]
      arrange()
    }

    private mutating func arrange() {
      arranged = order.sorted(snapshot.contacts, for: role, at: snapshot.now)
      narrow()
    }

    private mutating func narrow() {
      let typed = filter.input.text
      let matcher = ListMatcher(words: typed.searchable)
      let digits = PhoneNumber.searchedDigits(typed)
      rows =
        matcher.matchesAll
        ? arranged
        : arranged.filter { contact in
          matcher.matches(contact.name.searchable)
            || digits.map { contact.phone?.contains($0) == true } == true
        }
    }

    /// Whether a new responder is better notified by ntfy, because mail can't be sent.
    fileprivate var needsTopic: Bool {
      guard role == .responder, let watch = snapshot.watch else { return false }
      return watch.failureReason(on: [.email]) != nil && watch.failureReason(on: [.ntfy]) == nil
    }

    /// Whether the list has more than one order.
    var isSortable: Bool { ContactOrder.choices(for: role).count > 1 }

    var selected: Contact? { position.row(of: rows) }

    /// Shows a new snapshot. The selection stays on its contact, or in its place if that is gone.
    mutating func show(_ snapshot: AccountSnapshot) {
      let chosen = selected?.id
      let before = rows
      let old = self.snapshot
      self.snapshot = snapshot
      // Another program may have changed it.
      let chosenOrder = settings.lists[role]
      if chosenOrder != order { order = chosenOrder }
      if snapshot.contacts != old.contacts
        || snapshot.moments.contains(anyBetween: old.now, and: snapshot.now)
          && order.changes(snapshot.linked, for: role, from: old.now, to: snapshot.now)
      {
        arrange()
      }
      if let awaited, rows.contains(where: { $0.id == awaited }) {
        select(awaited)
        self.awaited = nil
      } else if let chosen, rows != before {
        select(chosen)
      }
      if case .details(var details) = destination {
        // The data of an account that is no longer a contact must not be shown (CON-7).
        let isGone = !snapshot.contacts.contains { $0.id == details.contact.id }
        details.show(snapshot)
        destination = isGone && details.contact.link != nil ? nil : .details(details)
      }
    }

    /// Switches to the next order. The selection stays on its contact.
    mutating func sort() {
      let chosen = selected?.id
      let choices = ContactOrder.choices(for: role)
      order = choices[(choices.firstIndex(of: order)! + 1) % choices.count]
      $settings.withLock { [role, order] in $0.lists[role] = order }
      if let chosen { select(chosen) }
    }

    mutating func select(_ id: Contact.ID) { position.select(in: rows) { $0.id == id } }

    var hasUnsavedChanges: Bool {
      switch destination {
      case .form(let form): form.hasChanges
      case .codeEntry(let entry): entry.form.isChanged
      case .details(let details): details.hasUnsavedChanges
      default: false
      }
    }
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case opened(Contact.ID)
    case addButtonTapped
    case addByCodeButtonTapped
    case codeButtonTapped
    case inviteButtonTapped
    case filter(ListFilter.Action)
    case sortButtonTapped
    case destination(PresentationAction<Destination.Action>)

    static let destinationCase = CasePath(reflecting: Self.destination)
  }

  /// The sheets over the list, one at a time.
  struct Destination: Reducer {
    enum State: Equatable, Sendable {
      case details(ContactDetailsFeature.State), form(ContactFormFeature.State)
      case codeEntry(CodeEntryFeature.State), code(CodeFeature.State)
      case invitations(InvitationsFeature.State)
    }

    enum Action: Codable, Equatable, Sendable {
      case details(ContactDetailsFeature.Action), form(ContactFormFeature.Action)
      case codeEntry(CodeEntryFeature.Action), code(CodeFeature.Action)
      case invitations(InvitationsFeature.Action)
    }

    static let details = ChildCase(State.details, Action.details) { ContactDetailsFeature() }
    static let form = ChildCase(State.form, Action.form) { ContactFormFeature() }
    static let codeEntry = ChildCase(State.codeEntry, Action.codeEntry) { CodeEntryFeature() }
    static let code = ChildCase(State.code, Action.code) { CodeFeature() }
    static let invitations = ChildCase(State.invitations, Action.invitations) {
      InvitationsFeature()
    }

    var body: some ReducerOf<Self> {
      OneOf(Self.details, Self.form, Self.codeEntry, Self.code, Self.invitations)
    }
  }

  @Dependency(\.uuid) var uuid

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .moved(let position):
        state.position = position
        state.awaited = nil

      case .opened(let id):
        // The palette also opens contacts that the filter hides.
        guard let contact = state.arranged.first(where: { $0.id == id }) else { return .none }
        state.select(id)
        state.destination = .details(
          ContactDetailsFeature.State(contact: contact, snapshot: state.snapshot))
        guard let picture = contact.link?.picture else { return .none }
        return .send(.destination(.presented(.details(.portrait(.wanted(picture))))))

      case .addButtonTapped:
        state.destination = .form(
          ContactFormFeature.State(
            adding: state.role, ownChannels: state.snapshot.channels.own,
            topic: state.needsTopic ? NtfyTopic(id: uuid()) : nil))

      case .addByCodeButtonTapped:
        state.destination = .codeEntry(CodeEntryFeature.State(adding: state.role))

      case .codeButtonTapped:
        state.destination = .code(
          CodeFeature.State(code: state.snapshot.user.code, host: state.snapshot.host))
        return .send(.destination(.presented(.code(.opened))))

      case .inviteButtonTapped:
        guard state.snapshot.host != .thisMachine else { return .none }
        state.destination = .invitations(InvitationsFeature.State(for: state.role))
        return .send(.destination(.presented(.invitations(.opened))))

      case .filter(let action):
        let chosen = state.selected?.id
        state.filter.apply(action)
        if case .edit = action {
          state.position = ListPosition()
        } else if let chosen {
          state.select(chosen)
        }

      case .sortButtonTapped:
        guard state.isSortable else { return .none }
        state.sort()

      case .destination(.presented(.details(.editButtonTapped))):
        guard case .details(let details) = state.destination else { return .none }
        state.destination = .form(
          ContactFormFeature.State(
            editing: details.contact, ownChannels: state.snapshot.channels.own))

      case .destination(.presented(.details(.done(.removed)))),
        .destination(.presented(.details(.done(.declined)))):
        state.destination = nil

      case .destination(.presented(.form(.channelsWanted(let contact)))):
        state.showChannels(of: contact)

      case .destination(.presented(.form(.saved(let contact))))
      where state.destination?.leadsToChannels == true:
        state.showChannels(of: contact)

      case .destination(.presented(.form(.saved(let contact)))),
        .destination(.presented(.codeEntry(.requested(let contact)))):
        state.destination = nil
        if state.rows.contains(where: { $0.id == contact.id }) {
          state.select(contact.id)
        } else {
          state.awaited = contact.id
        }

      case .destination: break
      }
      return .none
    }
    .ifLet(\.$destination, action: Action.destinationCase) { Destination() }
  }
}

extension ContactListFeature.Destination.Action {
  var delegate: DelegateAction? {
    switch self {
    case .form(.saved(let contact)): .contactSaved(contact)
    case .codeEntry(.requested(let contact)): .told("Sent \(contact.name) a request.")
    case .details(let action): action.delegate
    default: nil
    }
  }
}
