public import FoundationEssentials

/// Who notices when the machine that watches falls silent (WCH-2).
public struct Standby: Equatable, Codable, Sendable {
  /// A URL of a healthchecks-compatible service, called after healthy rounds of a monitor: the
  /// service tells the person's people when the calls stop. `nil` for none.
  public var heartbeat: String?
  /// The URL of an ntfy topic at which a message waits until after the deadline; each check-in moves
  /// it, and it goes out by itself when nobody does. `nil` for none.
  public var topic: String?

  public init(heartbeat: String? = nil, topic: String? = nil) {
    self.heartbeat = heartbeat
    self.topic = topic
  }

  /// From what was typed; empty for none.
  /// - Throws: ``ValidationError/webAddress`` or ``ValidationError/topic``.
  public init(validating heartbeat: String, topic: String) throws(ValidationError) {
    func address(_ text: String, _ kind: Channel.Kind) throws(ValidationError) -> String? {
      text.trimmingWhitespace().isEmpty ? nil : try kind.checkedAddress(text)
    }
    self.heartbeat = try address(heartbeat, .webhook)
    self.topic = try address(topic, .ntfy)
  }

  public var isNone: Bool { self == Standby() }
}

/// A message that waits at an ntfy server.
public struct WaitingMessage: Equatable, Codable, Sendable {
  /// The topic's URL.
  public var topic: String
  /// When it goes out unless it is moved.
  public var date: Date

  public init(topic: String, date: Date) {
    self.topic = topic
    self.date = date
  }
}

/// What a monitor has to keep up for one account's ``Standby``.
public struct StandbyDuty: Equatable, Sendable {
  public var account: User.ID
  public var name: String
  public var deadline: Deadline
  public var standby: Standby
  /// The message as it was last seen to be accepted, or `nil` for none.
  public var waiting: WaitingMessage?

  public init(
    account: User.ID, name: String, deadline: Deadline, standby: Standby,
    waiting: WaitingMessage? = nil
  ) {
    self.account = account
    self.name = name
    self.deadline = deadline
    self.standby = standby
    self.waiting = waiting
  }

  /// What has to happen at the ntfy server.
  public enum Step: Equatable, Sendable {
    case schedule(WaitingMessage)
    case cancel(WaitingMessage)
  }

  /// How long after the grace time the message goes out: a monitor that is there speaks first.
  static let patience = TimeSpan.minutes(10)
  /// As far ahead as ntfy's servers keep a message, less an hour.
  static let horizon = TimeSpan.hours(71)

  /// What has to happen now; `nil` while the message waits where it should.
  ///
  /// Once the grace time is over and a monitor is there, it has told the responders itself: then the
  /// message keeps an hour ahead. A deadline beyond the horizon is followed by steps of a day or two.
  public func step(at now: Date) -> Step? {
    guard let topic = standby.topic, waiting.map({ $0.topic == topic }) ?? true else {
      return waiting.map { .cancel($0) }
    }
    let end = deadline.graceEnd + Self.patience
    let wanted: Date
    let accepted: ClosedRange<Date>
    if end <= now {
      wanted = now + .hours(1)
      accepted = now + .minutes(30)...wanted
    } else if end > now + Self.horizon {
      wanted = now + Self.horizon
      accepted = now + .hours(24)...wanted
    } else {
      wanted = end
      accepted = wanted...wanted
    }
    if let waiting, accepted.contains(waiting.date) { return nil }
    return .schedule(WaitingMessage(topic: topic, date: wanted))
  }
}
