import Clients
import Composable
import Domain

extension Effect {
  /// Makes a topic to suggest. Where there is none, one can still be typed.
  static func newTopic(
    _ client: ChannelsClient, _ action: @escaping @Sendable (NtfyTopic) -> Action
  ) -> Self {
    .run { send in
      if let topic = try? await client.newTopic() { await send(action(topic)) }
    }
  }
}
