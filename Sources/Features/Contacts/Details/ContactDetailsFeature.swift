import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The details of a contact and the operations on it (CON-5).
struct ContactDetailsFeature: Reducer {
  struct State: Equatable, Sendable {
    private(set) var contact: Contact
    private(set) var snapshot: AccountSnapshot
    /// The operation that waits for confirmation.
    var question: Question?
    /// Whether an operation is running.
    var request = Request<Action>()
    /// How far the sheet is scrolled if it is taller than the window.
    var scrollOffset = 0
    var portrait = PortraitFeature.State()

    /// The first messages to this contact about current and past alerts, newest alert first.
    private(set) var deliveries: [DeliveryReport] = []

    init(contact: Contact, snapshot: AccountSnapshot) {
      self.contact = contact
      self.snapshot = snapshot
      findDeliveries()
    }

    private mutating func findDeliveries() {
      deliveries = Array(
        snapshot.alerts.lazy.flatMap(\.deliveries)
          .filter { [id = contact.id] in $0.recipientID == .contact(id) }.prefix(6))
    }

    /// Shows a new snapshot with the contact's current data.
    mutating func show(_ snapshot: AccountSnapshot) {
      let alerts = self.snapshot.alerts
      self.snapshot = snapshot
      if snapshot.alerts != alerts { findDeliveries() }
      if let current = snapshot.contacts.first(where: { $0.id == contact.id }) {
        contact = current
        if question == .withdrawal, !availableOperations.contains(.stopResponding) {
          question = nil
        }
      }
    }

    fileprivate mutating func ask(_ question: Question) {
      self.question = question
      request.failure = nil
    }

    /// Whether removing this contact would leave nobody to notify.
    var isLastResponder: Bool {
      contact.isResponder && snapshot.responderCount == 1
    }

    /// The operations that are possible now.
    var availableOperations: Set<Operation> { contact.availableOperations(at: snapshot.now) }
  }

  enum Operation: Hashable, Sendable {
    case edit, channels, declining, roles, wait, news, remove, accept, decline, ping, withdraw,
      answer,
      acknowledge, stopResponding, documents
  }

  /// The question a dialog asks.
  enum Question: Equatable, Sendable {
    /// Asks before removing the contact and explains the consequences (CON-4).
    case removal
    /// Asks before sending a ping (PNG-1).
    case ping
    /// Asks before the person withdraws their response to an alert. It has its own key, so that
    /// pressing "Acknowledge" twice doesn't withdraw it.
    case withdrawal
  }

  /// The result of an operation.
  enum Outcome: Codable, Equatable, Sendable {
    case accepted, declined, acknowledged, stoppedResponding, pinged, withdrawn, copied
    case newsChanged(Contact)
    case answered(User)
    case removed(Contact)
  }

  enum Action: Codable, Equatable, Sendable {
    case editButtonTapped
    case removeButtonTapped
    case questionCancelled
    case removalConfirmed
    case acceptButtonTapped
    case declineButtonTapped
    case acknowledgeButtonTapped
    case stopRespondingButtonTapped
    case withdrawalConfirmed
    case pingButtonTapped
    case pingConfirmed
    case withdrawButtonTapped
    case answerButtonTapped
    case copyButtonTapped
    case rolesButtonTapped
    case waitButtonTapped
    /// Has the contact, or for a dependent the user, get a message at each check-in, or not (NOT-4).
    case newsButtonTapped
    case documentsButtonTapped
    /// A sheet above this one had all roles removed.
    case noRoleChosen
    case portrait(PortraitFeature.Action)
    case channelsButtonTapped
    case declineCodeButtonTapped
    case done(Outcome)
    indirect case failed(ErrorText, retry: Action? = nil)
    case failureDismissed
    case scrolled(Int)
    case closeButtonTapped

    static let portraitCase = CasePath(reflecting: Self.portrait)
  }

  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.pingClient) var pingClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.clipboardClient) var clipboardClient
  @Dependency(\.dateClient) var dateClient

  var body: some ReducerOf<Self> {
    Scope(state: \.portrait, action: Action.portraitCase) { PortraitFeature() }
    Reduce { state, action in
      switch action {
      case .editButtonTapped: break
      case .removeButtonTapped: state.ask(.removal)
      case .pingButtonTapped: state.ask(.ping)
      case .stopRespondingButtonTapped: state.ask(.withdrawal)
      case .questionCancelled: state.question = nil

      case .rolesButtonTapped, .waitButtonTapped, .documentsButtonTapped, .channelsButtonTapped,
        .declineCodeButtonTapped:
        state.request.failure = nil
      // A contact must have a role (CON-1).
      case .noRoleChosen: state.ask(.removal)
      case .portrait: break

      case .copyButtonTapped:
        guard let phone = state.contact.phone else { return .none }
        return .run { [clipboardClient] send in
          await clipboardClient.copy(phone)
          await send(.done(.copied))
        }

      case .acceptButtonTapped, .declineButtonTapped, .acknowledgeButtonTapped,
        .withdrawalConfirmed, .pingConfirmed, .withdrawButtonTapped, .answerButtonTapped,
        .removalConfirmed, .newsButtonTapped:
        guard !state.request.isRunning else { return .none }
        state.question = nil
        state.request.begin()
        return request(action, state)

      case .done: state.request.end()
      case .failed(let error, let retry):
        state.request.fail(error, retry: retry)
      case .failureDismissed: state.request.failure = nil

      case .scrolled(let offset): state.scrollOffset = offset
      case .closeButtonTapped: return .dismiss()
      }
      return .none
    }
  }

  /// Performs the operation of a button.
  private func request(_ action: Action, _ state: State) -> Effect<Action> {
    .request(Action.done, or: { [dateClient] in .failed($0.text(dateClient), retry: action) }) {
      [contact = state.contact] () throws(ClientError) in
      switch action {
      case .acceptButtonTapped:
        _ = try await contactsClient.accept(contact.id)
        return .accepted
      case .declineButtonTapped:
        try await contactsClient.decline(contact.id)
        return .declined
      case .acknowledgeButtonTapped:
        guard let alert = contact.activeAlert else { throw .alertNotActive }
        _ = try await alertClient.acknowledge(alert.id)
        return .acknowledged
      case .withdrawalConfirmed:
        guard let alert = contact.activeAlert else { throw .alertNotActive }
        _ = try await alertClient.withdraw(alert.id)
        return .stoppedResponding
      case .pingConfirmed:
        _ = try await pingClient.send(contact.id)
        return .pinged
      case .withdrawButtonTapped:
        guard let ping = contact.link?.sentPing else { throw .pingNotOpen }
        _ = try await pingClient.withdraw(ping.id)
        return .withdrawn
      case .answerButtonTapped:
        guard let ping = contact.link?.receivedPing else { throw .pingNotOpen }
        return .answered(try await pingClient.answer(ping.id))
      case .newsButtonTapped:
        return .newsChanged(
          try await contactsClient.setCheckInNews(contact.id, contact.hearsCheckIns != true))
      case .removalConfirmed:
        try await contactsClient.delete(contact.id)
        return .removed(contact)
      default: throw .unimplemented("\(action)")
      }
    }
  }
}

extension Contact {
  typealias Operation = ContactDetailsFeature.Operation

  /// The operations that are possible now.
  func availableOperations(at now: Date) -> Set<Operation> {
    guard let link else {
      guard isActive else { return [.edit, .remove] }
      let operations: Set<Operation> = [.edit, .channels, .roles, .remove]
      return isResponder ? operations.union([.declining, .wait, .news]) : operations
    }
    var operations: Set<Operation> = []
    switch link.state {
    case .offered: return [.accept, .decline]
    case .requested, .declined: return [.remove]
    case .active: operations = isResponder ? [.roles, .wait, .remove] : [.roles, .remove]
    }
    if roles.contains(.dependent) {
      operations.formUnion([.documents, .news])
      operations.insert(isPingable(at: now) ? .ping : .withdraw)
      if let alert = activeAlert {
        operations.insert(alert.isAcknowledged(by: id) ? .stopResponding : .acknowledge)
      }
    }
    if openReceivedPing(at: now) != nil { operations.insert(.answer) }
    return operations
  }
}

extension Contact {
  /// Who gets a message at each check-in of the other, as a sentence.
  fileprivate var newsText: String {
    let isOn = hearsCheckIns == true
    return isLinked
      ? isOn ? "You get a message at each check-in." : "You get no messages at check-ins any more."
      : isOn
        ? "\(name) gets a message at each check-in."
        : "\(name) gets no messages at check-ins any more."
  }
}

extension Alert {
  /// Whether a responder has acknowledged the alert.
  fileprivate func isAcknowledged(by responder: Contact.ID) -> Bool {
    acknowledgements.contains { $0.responder == responder }
  }
}

extension ContactDetailsFeature: SheetFeature {
  static let element = pathElement { ContactDetailsFeature() }

  static func opened(_ state: State) -> Action? {
    state.contact.link?.picture.map { .portrait(.wanted($0)) }
  }

  func step(after action: Action, in state: State, _ snapshot: AccountSnapshot) -> SheetStep {
    let contact = state.contact
    switch action {
    case .editButtonTapped:
      return SheetStep(
        closes: true,
        opens: [
          OpenSheet(
            ContactFormFeature.self, .init(editing: contact, ownChannels: snapshot.channels.own))
        ])
    case .rolesButtonTapped: return .opening(OpenSheet(RolesFeature.self, .init(contact: contact)))
    case .waitButtonTapped: return .opening(OpenSheet(WaitFeature.self, .init(contact: contact)))
    case .documentsButtonTapped:
      return .opening(OpenSheet(SharedDocumentsFeature.self, .init(contact: contact)))
    case .channelsButtonTapped:
      return .opening(
        OpenSheet(ChannelsFeature.self, .init(of: contact.id, snapshot: snapshot)))
    case .declineCodeButtonTapped:
      return .opening(OpenSheet(DecliningFeature.self, .init(name: contact.name)))
    case .done(.removed), .done(.declined): return .closing
    default: return .none
    }
  }

  static func action(following action: SheetAction, of _: OpenSheet) -> Action? {
    action[RolesFeature.self] == .noneChosen ? .noRoleChosen : nil
  }

  static func delegate(of action: Action) -> DelegateAction? {
    switch action {
    case .done(.removed(let contact)): .toast("\(contact.name) removed.")
    case .done(.accepted): .toast("Accepted. You are contacts now.")
    case .done(.declined): .toast("Declined.")
    case .done(.acknowledged): .toast("The others see that you are responding.")
    case .done(.stoppedResponding):
      .toast("You are no longer responding. Those who knew are notified.")
    case .done(.newsChanged(let contact)): .toast(contact.newsText)
    case .done(.pinged): .toast("Pinged.")
    case .done(.withdrawn): .toast("The ping is withdrawn.")
    case .done(.copied): .toast("Copied, if your terminal allows it.")
    case .done(.answered(let user)): .checkedIn(user, text: "Answered and checked in.")
    default: nil
    }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ContactDetailsView(store: store)
  }
}

extension ContactDetailsFeature.State: SheetState {
  /// The data of an account that is no longer a contact must not be shown (CON-7).
  func isObsolete(in snapshot: AccountSnapshot) -> Bool {
    contact.link != nil && !snapshot.contacts.contains { $0.id == contact.id }
  }
}
