public import Domain

/// A test message on a channel: a monitor sends it, and the first result is waited for.
public struct ChannelTest: Sendable {
  private let channels: ChannelsClient
  private let watch: WatchClient
  private let clock: any Clock<Duration>

  public init(_ channels: ChannelsClient, _ watch: WatchClient, clock: any Clock<Duration>) {
    self.channels = channels
    self.watch = watch
    self.clock = clock
  }

  /// How long to wait for a result. A monitor waits longer for a slow server; most have answered by
  /// then, and a person has stopped looking.
  static let timeout = Duration.seconds(120)
  private static let pause = Duration.milliseconds(250)

  /// Sends a test message on a channel.
  /// - Returns: The message once it was sent or refused; `nil` if there is no result yet.
  public func run(on channel: Channel.ID) async throws(ClientError) -> DeliveryReport? {
    let before = try await channels.overview().last[channel]?.stage
    try await channels.sendTest(channel)
    try? await watch.retryMail()
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

  /// Returns why a test message was not sent, in words, or `nil` if a server accepted it.
  /// - Parameter report: The result of ``run(on:)``.
  public static func failure(_ report: DeliveryReport?) -> String? {
    guard let report else { return "no monitor took it yet" }
    return report.state == .sent ? nil : report.error ?? "no reason was given"
  }

  /// Sends a test message to an address. If the user doesn't have that channel yet, it is added
  /// only if the message is accepted: the address may be mistyped and belong to a stranger.
  public func run(to address: String) async throws(ClientError) -> DeliveryReport? {
    if let known = try await ownChannel(for: address) { return try await run(on: known) }
    let new = try await channels.add(ChannelDraft(.email, address), nil).channel.id
    let report: DeliveryReport?
    do { report = try await run(on: new) } catch {
      try? await channels.remove(new)
      throw error
    }
    if report?.state != .sent { try await channels.remove(new) }
    return report
  }

  /// Adds an address to the user's own channels.
  /// - Parameter isTested: Whether a test message was accepted there. If not, the monitor goes on
  ///   testing, and the failure is shown until a message is accepted.
  public func keep(_ address: String, isTested: Bool) async throws(ClientError) {
    var channel = try await ownChannel(for: address)
    if channel == nil {
      channel = try await channels.add(ChannelDraft(.email, address), nil).channel.id
    }
    if !isTested, let channel { try await channels.sendTest(channel) }
    try? await watch.retryMail()
  }

  private func ownChannel(for address: String) async throws(ClientError) -> Channel.ID? {
    let draft = ChannelDraft(.email, address)
    return try await channels.overview().own.first {
      draft.hasSameAddress(as: ChannelDraft($0.kind, $0.address))
    }?.id
  }
}
