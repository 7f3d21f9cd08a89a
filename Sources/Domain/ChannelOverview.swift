public import FoundationEssentials

/// The person's own channels, and the result of the last message on each channel – their own and
/// their contacts' (CHN-1, CON-5).
public struct ChannelOverview: Equatable, Codable, Sendable {
  /// The person's channels. The account's address comes first; its channel has the account's
  /// identity.
  public var own: [Channel]
  /// The last message on each channel that has carried one.
  public var last: [Channel.ID: DeliveryReport]
  /// The topics switched off on the person's own channels (CHN-3).
  public var muted: MutedTopics

  public init(
    own: [Channel] = [], last: [Channel.ID: DeliveryReport] = [:],
    muted: MutedTopics = MutedTopics()
  ) {
    self.own = own
    self.last = last
    self.muted = muted
  }

  /// Creates an overview with the last message on each of the channels.
  ///
  /// - Complexity: O(*c* + *m*) for *c* channels and *m* messages.
  /// - Parameter others: The channels of the contacts.
  public init(
    own: [Channel], others: [Channel], messages: [DeliveryReport],
    muted: MutedTopics = MutedTopics()
  ) {
    var newest: [String: DeliveryReport] = [:]
    for message in messages where message.state != .cancelled && !message.wasHeldBack {
      let place = Self.place(message.channel, message.address)
      guard let other = newest[place], other.plannedAt > message.plannedAt else {
        newest[place] = message
        continue
      }
    }
    self.init(own: own, muted: muted)
    for channel in own + others {
      last[channel.id] = newest[Self.place(channel.kind, channel.address)]
    }
  }

  private static func place(_ kind: Channel.Kind, _ address: String) -> String {
    "\(kind.rawValue) \(address)"
  }

  public func health(of channel: Channel.ID) -> ChannelHealth {
    last[channel].map(ChannelHealth.init) ?? .unused
  }

  /// A test mail to the person that wasn't accepted, and after which none was: the mail account may
  /// send nothing at all. `nil` if there is none.
  public var failedMailTest: DeliveryReport? {
    own.lazy.filter { $0.kind == .email }.compactMap { last[$0.id] }.first {
      if case .channelTest = $0.stage { ChannelHealth($0).isFailing } else { false }
    }
  }
}

/// The state of a channel, judged by its last message.
public enum ChannelHealth: Equatable, Sendable {
  /// It has never carried a message.
  case unused
  /// The last message is waiting for a monitor.
  case waiting
  case sent(Date)
  /// The last message has not been accepted so far; the next attempt is at this time.
  case retrying(Date, reason: String)
  case failed(Date, reason: String)

  /// Whether the last message failed, or has not been accepted so far.
  public var isFailing: Bool {
    switch self {
    case .retrying, .failed: true
    case .unused, .waiting, .sent: false
    }
  }

  public init(_ last: DeliveryReport) {
    switch last.state {
    case .sent: self = .sent(last.date)
    case .failed: self = .failed(last.date, reason: last.error ?? "")
    case .pending: self = last.error.map { .retrying(last.date, reason: $0) } ?? .waiting
    case .cancelled: self = .unused
    }
  }
}

extension Channel {
  /// How many messages a channel's log shows.
  public static let logLength = 50
}

extension [DeliveryReport] {
  /// Returns the last ``Channel/logLength`` of these messages on a channel, newest first (CHN-1).
  public func log(of channel: Channel) -> [DeliveryReport] {
    let messages = filter { $0.channel == channel.kind && $0.address == channel.address }
    return messages.indices.sorted { left, right in
      (messages[left].plannedAt, left) > (messages[right].plannedAt, right)
    }.prefix(Channel.logLength).map { messages[$0] }
  }
}
