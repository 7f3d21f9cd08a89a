public import FoundationEssentials

/// Who notices when the machine that watches falls silent (WCH-2).
public struct Standby: Equatable, Codable, Sendable {
  /// A URL of a healthchecks-compatible service, called after healthy rounds of a monitor, and with
  /// `/fail` behind its path while the monitor can tell none of the responders: the service tells the
  /// person's people then, and when the calls stop. `nil` for none.
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
  /// The kinds of channels by which the responders are notified of a missed deadline.
  public var kinds: Set<Channel.Kind>
  /// The message as it was last seen to be accepted, or `nil` for none.
  public var waiting: WaitingMessage?

  public init(
    account: User.ID, name: String, deadline: Deadline, standby: Standby,
    kinds: Set<Channel.Kind> = [], waiting: WaitingMessage? = nil
  ) {
    self.account = account
    self.name = name
    self.deadline = deadline
    self.standby = standby
    self.kinds = kinds
    self.waiting = waiting
  }

  /// What has to happen at the ntfy server.
  public enum Step: Equatable, Sendable {
    case schedule(WaitingMessage)
    case cancel(WaitingMessage)
  }

  /// How long after the grace time the message goes out: a monitor that is there speaks first.
  static let delay = TimeSpan.minutes(10)
  /// As far ahead as ntfy's servers keep a message, less an hour.
  static let horizon = TimeSpan.hours(71)

  /// What has to happen now, in this order; nothing while the message waits where it should.
  ///
  /// What waits at another topic is taken back, and whether that succeeds does not matter to the new
  /// one: its server may be gone.
  /// - Parameter failing: The kinds of channels on which the monitor cannot deliver.
  public func steps(at now: Date, failing: Set<Channel.Kind> = []) -> [Step] {
    var steps: [Step] = []
    var waiting = waiting
    if let old = waiting, old.topic != standby.topic {
      if old.date > now { steps.append(.cancel(old)) }
      waiting = nil
    }
    if let topic = standby.topic {
      let accepted = times(at: now, isMute: isMute(failing))
      if waiting.map({ !accepted.contains($0.date) }) ?? true {
        steps.append(.schedule(WaitingMessage(topic: topic, date: accepted.upperBound)))
      }
    }
    return steps
  }

  /// Whether none of those who would be notified can be.
  public func isMute(_ failing: Set<Channel.Kind>) -> Bool {
    !kinds.isEmpty && kinds.isSubset(of: failing)
  }

  /// When the message may go out; the last of these is where it is moved to.
  ///
  /// Once the grace time is over a monitor tells the responders itself, and keeps the message an hour
  /// ahead. One that cannot tell anybody lets it go out, once. A deadline beyond the horizon is followed
  /// by steps of a day or two.
  private func times(at now: Date, isMute: Bool) -> ClosedRange<Date> {
    let graceEnd = deadline.graceEnd
    guard graceEnd <= now else {
      let (end, horizon) = (graceEnd + Self.delay, now + Self.horizon)
      return end > horizon ? now + .hours(24)...horizon : end...end
    }
    return isMute ? graceEnd...now + Self.delay : now + .minutes(30)...now + .hours(1)
  }
}
