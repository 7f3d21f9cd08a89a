public import Domain

/// Has a monitor send a test message on a channel, and waits for the first result.
public struct ChannelTest: Sendable {
  private let channels: ChannelsClient
  private let watch: WatchClient
  private let clock: any Clock<Duration>

  public init(_ channels: ChannelsClient, _ watch: WatchClient, clock: any Clock<Duration>) {
    self.channels = channels
    self.watch = watch
    self.clock = clock
  }

  /// How long to wait for a result: a monitor gives up on a server after 35 seconds.
  static let timeout = Duration.seconds(45)
  private static let pause = Duration.milliseconds(250)

  /// - Returns: The message once it was sent or refused; `nil` where there is no result yet.
  public func run(on channel: Channel.ID) async throws(ClientError) -> DeliveryReport? {
    let before = try await channels.overview().last[channel]?.stage
    try await channels.sendTest(channel)
    do { try await watch.start() } catch { throw .storage(error) }
    for _ in 0..<Int(Self.timeout / Self.pause) {
      let last = try await channels.overview().last[channel]
      if let last, last.stage != before, last.state != .pending || last.error != nil {
        return last
      }
      guard (try? await clock.sleep(for: Self.pause)) != nil else { return nil }
    }
    return nil
  }

  /// Why a test message was not sent, in words; `nil` where a server accepted it.
  /// - Parameter report: What ``run(on:)`` returned.
  public static func failure(_ report: DeliveryReport?) -> String? {
    guard let report else { return "no monitor took it yet" }
    return report.state == .sent ? nil : report.error ?? "no reason was given"
  }

  /// The user's own channel for an address, added where there is none.
  public func ownChannel(for address: String) async throws(ClientError) -> Channel.ID {
    let draft = ChannelDraft(.email, address)
    let own = try await channels.overview().own
    if let channel = own.first(where: {
      draft.leadsToSamePlace(as: ChannelDraft($0.kind, $0.address))
    }) {
      return channel.id
    }
    return try await channels.add(draft, nil).channel.id
  }
}
