import Clients
import Composable
import Domain
import Terminal

/// The sheet in which a person chooses what one of their own channels tells (CHN-3). What is off
/// stands in the snapshot alone; a choice shows there once it is kept.
struct ChannelTopicsFeature: Reducer {
  struct State: Equatable, Sendable {
    let channel: Channel
    var position = ListPosition(selected: 0)
    var isSaving = false
    var failure: ErrorText?

    init(of channel: Channel) { self.channel = channel }
  }

  enum Action: Codable, Equatable, Sendable {
    case moved(ListPosition)
    case switched(Topic, isMuted: Bool)
    case saved
    case saveFailed(ChannelError)
    case closeButtonTapped
  }

  @Dependency(\.channelsClient) var channelsClient
  @Dependency(\.dismiss) var dismiss

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .moved(let position):
      state.position = position
      return .none

    case .switched(let topic, let isMuted):
      guard !state.isSaving else { return .none }
      state.isSaving = true
      state.failure = nil
      return .run { [channelsClient, id = state.channel.id] send in
        do throws(ChannelError) {
          try await channelsClient.setMuted(topic, id, isMuted)
          await send(.saved)
        } catch {
          await send(.saveFailed(error))
        }
      }

    case .saved:
      state.isSaving = false
      return .none

    case .saveFailed(let error):
      state.isSaving = false
      state.failure = error.text
      return .none

    case .closeButtonTapped:
      return .run { [dismiss] _ in await dismiss() }
    }
  }
}
