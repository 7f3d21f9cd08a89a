import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The channels of the person or of a contact: their health, adding, removing and testing them,
/// their secrets and logs (CHN-1, CON-5), and the topics sent to the person's own (CHN-3).
struct ChannelsFeature: Reducer {
  struct State: Equatable, Sendable {
    /// The contact the channels belong to, or `nil` for the person's own.
    let contact: Contact.ID?
    private(set) var snapshot: AccountSnapshot
    var position = ListPosition(selected: 0)
    /// The channel whose removal waits for confirmation.
    var removing: Channel?
    /// The channel whose secret is shown.
    var shown: NewChannel?
    var request = Request<Action>()
    /// The result of the last operation.
    var notice: String?

    init(of contact: Contact.ID? = nil, snapshot: AccountSnapshot) {
      self.contact = contact
      self.snapshot = snapshot
    }

    /// Shows a new snapshot. The selection stays on its channel, or in its place if that is gone.
    mutating func show(_ snapshot: AccountSnapshot) {
      let chosen = selected?.id
      self.snapshot = snapshot
      position.select(in: channels) { $0.id == chosen }
    }

    /// The contact the channels belong to.
    var holder: Contact? { snapshot.contacts.first { $0.id == contact } }

    var channels: [Channel] {
      contact == nil ? snapshot.channels.own : holder?.channels ?? []
    }

    var selected: Channel? { position.row(of: channels) }

    /// Whether a channel is the account's address, which can be changed only in the profile.
    func isOfProfile(_ channel: Channel) -> Bool { channel.id == snapshot.user.id }
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case addButtonTapped
    case removeButtonTapped
    case removalCancelled
    case removalConfirmed
    case removed
    case testButtonTapped
    case testQueued(Channel)
    case secretButtonTapped
    case secretRead(NewChannel)
    case secretClosed
    case logButtonTapped
    case topicsButtonTapped
    case failed(ErrorText)
    case failureDismissed
    case closeButtonTapped
    case added(NewChannel)
  }

  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.servicesClient) var servicesClient
  @Dependency(\.dateClient) var dateClient

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .moved(let position): state.position = position

      case .addButtonTapped, .logButtonTapped, .topicsButtonTapped: state.clear()

      case .added(let new):
        state.notice = "Added."
        // The webhook's receiver needs the generated secret. Other secrets were typed by the
        // person.
        state.shown = new.channel.kind == .webhook ? new : nil

      case .removeButtonTapped:
        guard let channel = state.selected, !state.isOfProfile(channel) else { return .none }
        state.clear()
        state.removing = channel
      case .removalCancelled: state.removing = nil
      case .removalConfirmed:
        guard let channel = state.removing else { return .none }
        state.removing = nil
        return request(&state) { client throws(ClientError) in
          try await client.remove(channel.id)
          return .removed
        }
      case .removed:
        state.request.end()
        state.notice = "Removed."

      case .testButtonTapped:
        guard let channel = state.selected else { return .none }
        return request(&state) { client throws(ClientError) in
          try await client.sendTest(channel.id)
          return .testQueued(channel)
        }
      case .testQueued:
        state.request.end()
        state.notice = "Sending a test message. Its row shows the result."

      case .secretButtonTapped:
        guard let channel = state.selected else { return .none }
        return request(&state) { client throws(ClientError) in
          .secretRead(NewChannel(channel: channel, secret: try await client.secret(channel.id)))
        }
      case .secretRead(let channel):
        state.request.end()
        // Another program may have removed the channel.
        guard state.channels.contains(where: { $0.id == channel.channel.id }) else { return .none }
        state.shown = channel
      case .secretClosed: state.shown = nil

      case .failed(let error):
        state.request.fail(error)
      case .failureDismissed: state.request.failure = nil

      case .closeButtonTapped: return .dismiss()
      }
      return .none
    }
  }

  /// Makes a request, unless another one is running.
  private func request(
    _ state: inout State,
    _ body: @escaping @Sendable (ChannelsClient) async throws(ClientError) -> Action
  ) -> Effect<Action> {
    guard !state.request.isRunning else { return .none }
    state.clear()
    state.request.begin()
    return .request({ $0 }, or: { [dateClient] in .failed($0.text(dateClient)) }) {
      () throws(ClientError) in
      try await body(channelsClient)
    }
  }
}

extension ChannelsFeature.State {
  /// Removes the last notice and failure.
  fileprivate mutating func clear() {
    notice = nil
    request.failure = nil
  }
}

extension ChannelsFeature: SheetFeature {
  static let element = pathElement { ChannelsFeature() }

  func step(after action: Action, in state: State, _: AccountSnapshot) -> SheetStep {
    switch action {
    case .addButtonTapped:
      .opening(
        OpenSheet(
          ChannelFormFeature.self,
          .init(of: state.contact, services: servicesClient.catalog().services)))
    case .logButtonTapped:
      .opening(state.selected.map { OpenSheet(ChannelLogFeature.self, .init(of: $0)) })
    case .topicsButtonTapped where state.contact == nil:
      .opening(state.selected.map { OpenSheet(ChannelTopicsFeature.self, .init(of: $0)) })
    default: .none
    }
  }

  static func action(following action: SheetAction, of _: OpenSheet) -> Action? {
    if case .saved(let new) = action[ChannelFormFeature.self] { .added(new) } else { nil }
  }

  static func delegate(of action: Action) -> DelegateAction? {
    if case .testQueued = action { .queued } else { nil }
  }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ChannelsView(store: store)
  }
}

extension ChannelsFeature.State: SheetState {}
