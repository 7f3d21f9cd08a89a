import Clients
import Composable
import Domain
import Terminal

/// The sheet with the last messages on a channel (CHN-1).
struct ChannelLogFeature: Reducer {
  struct State: Equatable, Sendable {
    let channel: Channel
    /// Newest first; `nil` until they are read.
    var messages: [DeliveryReport]?
    var position = ListPosition(selected: 0)
    var failure: ErrorText?

    init(of channel: Channel) { self.channel = channel }
  }

  enum Action: Codable, Equatable, Sendable {
    case opened
    case changed([DeliveryReport])
    case failed(ErrorText)
    case moved(ListPosition)
    case closeButtonTapped
  }

  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.continuousClock) var clock
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .opened:
      return .observing(
        clock, { [channelsClient, id = state.channel.id] in channelsClient.observeLog(id) },
        changed: Action.changed, failed: { .failed(.of($0)) })
    case .changed(let messages):
      state.messages = messages
      state.failure = nil
      return .none
    case .failed(let error):
      state.failure = error
      return .none
    case .moved(let position):
      state.position = position
      return .none
    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }
}
