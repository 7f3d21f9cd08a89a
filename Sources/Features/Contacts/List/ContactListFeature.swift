import Clients
import Composable
import ComposableFoundation
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
    /// A sheet above the list added or changed a contact.
    case saved(Contact)
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
        state.select(contact.id)

      case .addButtonTapped, .addByCodeButtonTapped, .codeButtonTapped, .inviteButtonTapped: break

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

      case .saved(let contact):
        if state.rows.contains(where: { $0.id == contact.id }) {
          state.select(contact.id)
        } else {
          state.awaited = contact.id
        }
      }
      return .none
    }
  }
}

extension ContactListFeature: SheetPresenter {
  func step(after action: Action, in state: State, _ snapshot: AccountSnapshot) -> SheetStep {
    switch action {
    case .opened(let id):
      .opening(
        state.arranged.first { $0.id == id }.map {
          OpenSheet(ContactDetailsFeature.self, .init(contact: $0, snapshot: snapshot))
        })
    case .addButtonTapped:
      .opening(
        OpenSheet(
          ContactFormFeature.self,
          .init(
            adding: state.role, ownChannels: snapshot.channels.own,
            topic: state.needsTopic ? NtfyTopic(id: uuid()) : nil)))
    case .addByCodeButtonTapped:
      .opening(OpenSheet(CodeEntryFeature.self, .init(adding: state.role)))
    case .codeButtonTapped:
      .opening(
        OpenSheet(CodeFeature.self, .init(code: snapshot.user.code, host: snapshot.host)))
    case .inviteButtonTapped where snapshot.host != .thisMachine:
      .opening(OpenSheet(InvitationsFeature.self, .init(for: state.role)))
    default: .none
    }
  }

  static func action(following action: SheetAction, of sheet: OpenSheet) -> Action? {
    if case .saved(let contact) = action[ContactFormFeature.self] {
      // Otherwise the contact's details open.
      return sheet[ContactFormFeature.self]?.leadsToChannels == true ? nil : .saved(contact)
    }
    if case .requested(let contact) = action[CodeEntryFeature.self] { return .saved(contact) }
    return nil
  }
}
