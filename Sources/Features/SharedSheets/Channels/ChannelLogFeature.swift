import Clients
import Composable
import Domain
import FoundationEssentials
import Terminal

/// The sheet with the last messages on a channel (CHN-1).
struct ChannelLogFeature: Reducer {
  struct State: Equatable, Sendable {
    let channel: Channel
    /// The messages, newest first, or `nil` until they are loaded.
    var messages: [DeliveryReport]?
    var position = ListPosition(selected: 0)
    var failure: ErrorText?

    init(of channel: Channel) { self.channel = channel }

    var selected: DeliveryReport? { position.row(of: messages ?? []) }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case changed([DeliveryReport])
    case failed(ErrorText)
    case failureDismissed
    case moved(ListPosition)
    case closeButtonTapped
  }

  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.continuousClock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return .observing(
        clock, { [channelsClient, id = state.channel.id] in channelsClient.observeLog(id) },
        changed: Action.changed, failed: { .failed(.of($0)) })
    case .changed(let messages):
      // The newest stays selected; any other message that was chosen stays, too.
      let chosen = state.position.selected > 0 ? state.selected?.id : messages.first?.id
      state.messages = messages
      state.position.select(in: messages) { $0.id == chosen }
      state.failure = nil
    case .failed(let error): state.failure = error
    case .failureDismissed: state.failure = nil
    case .moved(let position): state.position = position
    case .closeButtonTapped: return .dismiss()
    }
    return .none
  }
}

/// The sheet with the last messages on a channel, newest first.
struct ChannelLogView: View {
  let store: StoreOf<ChannelLogFeature>
  let snapshot: AccountSnapshot

  var body: some View {
    Sheet("Log of \(store.channel.shortAddress)", width: 76) {
      VStack(alignment: .leading, spacing: 0) {
        lines.frame(minHeight: 1, maxHeight: max(1, store.messages?.count ?? 1))
        if let failure = store.failure {
          ErrorView(failure, retry: .automatic, dismiss: { store.send(.failureDismissed) })
        }
      }
      .padding(.horizontal, 1)
    }
    .command("esc", "Close") { store.send(.closeButtonTapped) }
  }

  @ViewBuilder private var lines: some View {
    if let messages = store.messages {
      List(messages, position: store.position, onMove: { store.send(.moved($0)) }) { message, _ in
        row(message)
      } empty: {
        Text("Nothing has been sent on this channel yet.").foreground(.dim)
      }
    } else {
      ProgressView("Reading")
    }
  }

  private func row(_ message: DeliveryReport) -> some View {
    HStack(spacing: 1) {
      Text(message.mark).foreground(message.role).frame(width: 1)
      Text(snapshot.calendar.describe(message.date, now: snapshot.now).capitalizedFirst)
        .foreground(.dim).frame(width: 16, alignment: .leading)
      Text(message.title).frame(width: 22, alignment: .leading)
      Text(outcome(of: message))
        .foreground(message.role).frame(maxWidth: .max, alignment: .leading)
    }
    .lineLimit(1).padding(.trailing, 1)
  }

  private func outcome(of message: DeliveryReport) -> String {
    if message.state == .sent { return "sent" }
    if let waiting = message.waitingText(in: snapshot) { return waiting }
    let reason = message.error ?? message.state.rawValue
    return message.mayHaveBeenSent ? "may have been sent: \(reason)" : reason
  }
}

extension ChannelLogFeature: SheetFeature {
  static let element = pathElement { ChannelLogFeature() }

  static func opened(_: State) -> Action? { .opened }

  static func view(_ store: StoreOf<Self>, _ snapshot: AccountSnapshot) -> some View {
    ChannelLogView(store: store, snapshot: snapshot)
  }
}

extension ChannelLogFeature.State: SheetState {}
