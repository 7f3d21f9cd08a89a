import Clients
import Composable
import Domain
import Terminal

/// The topics that are sent to one of the person's own channels (CHN-3). The snapshot alone says
/// which are muted, so a choice shows once it is stored.
struct ChannelTopicsFeature: Reducer {
  struct State: Equatable, Sendable {
    let channel: Channel
    var position = ListPosition(selected: 0)
    var request = Request<Action>()

    init(of channel: Channel) { self.channel = channel }
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case switched(Topic, isMuted: Bool)
    case saved
    indirect case saveFailed(ClientError, retry: Action)
    case failureDismissed
    case closeButtonTapped
  }

  @Dependency(\.channelsClient) var channelsClient

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position): state.position = position

    case .switched(let topic, let isMuted):
      guard !state.request.isRunning else { return .none }
      state.request.begin()
      return .request(.saved, or: { .saveFailed($0, retry: action) }) {
        [id = state.channel.id] () throws(ClientError) in
        try await channelsClient.setMuted(topic, id, isMuted)
      }

    case .saved: state.request.end()

    case .saveFailed(let error, let retry):
      state.request.fail(error.text, retry: retry)
    case .failureDismissed: state.request.failure = nil

    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }
}

/// The sheet with the topics of one of the person's own channels, each on or off.
struct ChannelTopicsView: View {
  let store: StoreOf<ChannelTopicsFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    Sheet("What is sent to \(store.channel.shortAddress)", width: 64) {
      VStack(alignment: .leading, spacing: 0) {
        List(
          Topic.allCases, position: store.position, onMove: { store.send(.moved($0)) },
          onOpen: { toggle($0) }
        ) { topic, _ in
          row(topic)
        }
        .frame(height: Topic.allCases.count)
        Text("")
        Text("Always sent: alerts, acknowledgements and missed deadlines.")
          .foreground(.dim)
        UnsentTopicsWarning(snapshot: snapshot)
        RequestView(store.request, store, progress: "Saving", dismiss: .failureDismissed)
      }
      .padding(.horizontal, 1)
    }
    .with(commands)
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }

  private func row(_ topic: Topic) -> some View {
    let isOn = isOn(topic)
    return HStack(spacing: 1) {
      Text(isOn ? "[x]" : "[ ]").foreground(isOn ? .calm : .dim)
      Text(topic.title).frame(width: 14, alignment: .leading)
      Text(topic.meaning).foreground(.dim).frame(maxWidth: .max, alignment: .leading)
    }
    .lineLimit(1)
  }

  private var commands: [Command] {
    guard Topic.allCases.indices.contains(store.position.selected) else { return [] }
    let topic = Topic.allCases[store.position.selected]
    return [
      Command(key: "space", title: isOn(topic) ? "Switch off" : "Switch on") { toggle(topic) }
    ]
  }

  private func isOn(_ topic: Topic) -> Bool {
    !snapshot.channels.muted[store.channel.id].contains(topic)
  }

  private func toggle(_ topic: Topic) {
    store.send(.switched(topic, isMuted: isOn(topic)))
  }
}

/// A warning for each topic that is muted on all of the person's channels.
struct UnsentTopicsWarning: View {
  let snapshot: AccountSnapshot

  var body: some View {
    let overview = snapshot.channels
    VStack(alignment: .leading, spacing: 0) {
      ForEach(overview.muted.mutedEverywhere(among: overview.own), id: \.self) { topic in
        Text(topic.mutedEverywhereText).foreground(.warning)
      }
    }
  }
}

extension Topic {
  var title: String {
    switch self {
    case .reminders: "Reminders"
    case .pauses: "Pauses"
    }
  }

  fileprivate var meaning: String {
    switch self {
    case .reminders: "when your deadline is near"
    case .pauses: "when a pause is about to end"
    }
  }
}

extension MutedTopics {
  /// The muted topics of a channel, such as `off: reminders`, or `nil` if there are none.
  func line(of channel: Channel.ID) -> String? {
    let off = Topic.allCases.filter(self[channel].contains).map { $0.title.lowercased() }
    guard !off.isEmpty else { return nil }
    return off.count == Topic.allCases.count ? "alerts only" : "off: " + off.joined(separator: ", ")
  }
}

extension ChannelTopicsFeature: SheetFeature {
  static let element = pathElement { ChannelTopicsFeature() }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ChannelTopicsView(store: store, snapshot: snapshot)
  }
}

extension ChannelTopicsFeature.State: SheetState {}
