public import FoundationEssentials

/// The services that notice when the machine with the monitor goes silent (WCH-2).
public struct Standby: Equatable, Codable, Sendable {
  /// The URL of a healthchecks-compatible service, or `nil`. A monitor calls it after each healthy
  /// round, and with `/fail` appended to its path while no responder can be notified. The service
  /// notifies the person's people then, and when the calls stop.
  public var heartbeat: String?
  /// The URL of an ntfy topic with a message that is scheduled for after the deadline, or `nil`.
  /// Each check-in postpones the message; without one, ntfy sends it by itself.
  public var topic: String?

  public init(heartbeat: String? = nil, topic: String? = nil) {
    self.heartbeat = heartbeat
    self.topic = topic
  }

  /// Creates a standby from what was typed; an empty text means none.
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

/// What the services of a ``Standby`` said last, for the person to read (WCH-2).
public struct StandbyStatus: Equatable, Codable, Sendable {
  /// The host of the heartbeat's service; `nil` for none.
  public var heartbeat: String?
  /// Why it doesn't count the calls, empty if it does; `nil` as long as it wasn't called.
  public var heartbeatAnswer: String?
  /// The host of the ntfy server with the message; `nil` for none.
  public var topic: String?
  /// Why it doesn't take the message, empty if it does; `nil` as long as it wasn't asked.
  public var topicAnswer: String?
  /// When the message is sent unless it is postponed; `nil` if none waits.
  public var messageDate: Date?

  public init(
    _ standby: Standby, heartbeatAnswer: String? = nil, topicAnswer: String? = nil,
    messageDate: Date? = nil
  ) {
    heartbeat = standby.heartbeat.map(Self.host)
    self.heartbeatAnswer = heartbeatAnswer
    topic = standby.topic.map(Self.host)
    self.topicAnswer = topicAnswer
    self.messageDate = messageDate
  }

  /// Whether the heartbeat's service counts the calls, and so notices when they stop.
  public var heartbeatWorks: Bool { heartbeat != nil && heartbeatAnswer == "" }

  /// Returns when the waiting message is sent if nothing postpones it; `nil` if none waits.
  public func message(at now: Date) -> Date? {
    messageDate.flatMap { topic != nil && $0 > now ? $0 : nil }
  }

  /// Whether somebody is notified if no monitor starts.
  public func works(at now: Date) -> Bool { heartbeatWorks || message(at: now) != nil }

  /// What doesn't work, as sentences; `nil` if all does, or if it isn't known yet.
  public var fault: String? {
    func sentence(_ host: String?, _ what: String, _ answer: String?) -> String? {
      guard let host, let answer, !answer.isEmpty else { return nil }
      return "\(host) doesn't take \(what): \(answer)."
    }
    let faults = [
      sentence(heartbeat, "the heartbeat", heartbeatAnswer),
      sentence(topic, "the message for when no monitor runs", topicAnswer),
    ].compactMap(\.self)
    return faults.isEmpty ? nil : faults.joined(separator: " ")
  }

  private static func host(of address: String) -> String {
    String(address.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/:?#".contains($0) })
  }
}

/// A message that an ntfy server sends later.
public struct WaitingMessage: Equatable, Codable, Sendable {
  /// The topic's URL.
  public var topic: String
  /// When it is sent unless it is postponed.
  public var date: Date

  public init(topic: String, date: Date) {
    self.topic = topic
    self.date = date
  }
}

/// The task that a monitor has for one account's ``Standby``.
public struct StandbyDuty: Equatable, Sendable {
  public var account: User.ID
  public var name: String
  public var deadline: Deadline
  public var standby: Standby
  /// The kinds of channels on which the responders are notified of a missed deadline.
  public var kinds: Set<Channel.Kind>
  /// The message that the server accepted last, or `nil` for none.
  public var waiting: WaitingMessage?
  /// What each part's service said last: empty if it accepted what it was sent.
  public var answers: [Part: String]
  /// The outing that is on, or `nil`.
  public var outing: Outing?
  /// Whether it was there before servers kept private addresses from being reached.
  public var mayReachPrivate = false

  /// A part of a ``Standby``.
  public enum Part: String, CaseIterable, Sendable { case heartbeat, message }

  public init(
    account: User.ID, name: String, deadline: Deadline, standby: Standby,
    kinds: Set<Channel.Kind> = [], waiting: WaitingMessage? = nil, answers: [Part: String] = [:]
  ) {
    self.account = account
    self.name = name
    self.deadline = deadline
    self.standby = standby
    self.kinds = kinds
    self.waiting = waiting
    self.answers = answers
  }

  /// A request to the ntfy server.
  public enum Step: Equatable, Sendable {
    case schedule(WaitingMessage)
    case cancel(WaitingMessage)
  }

  /// How long after the grace time the message is sent, so that a running monitor comes first.
  static let delay = TimeSpan.minutes(10)
  /// How far ahead a message can be scheduled: as far as ntfy's servers keep one, less an hour.
  static let horizon = TimeSpan.hours(71)

  /// Returns the requests to make now, in this order; none while the message is scheduled as it
  /// should be.
  ///
  /// A message at another topic is cancelled. The new one is scheduled even if that fails, since
  /// the other server may be gone.
  /// - Parameter failing: The kinds of channels on which the monitor cannot deliver.
  public func steps(at now: Date, failing: Set<Channel.Kind> = []) -> [Step] {
    var steps: [Step] = []
    var waiting = waiting
    if let old = waiting, old.topic != standby.topic {
      if old.date > now { steps.append(.cancel(old)) }
      waiting = nil
    }
    if let topic = standby.topic {
      let accepted = times(at: now, canNotifyNobody: canNotifyNobody(failing))
      if waiting.map({ !accepted.contains($0.date) }) ?? true {
        steps.append(.schedule(WaitingMessage(topic: topic, date: accepted.upperBound)))
      }
    }
    return steps
  }

  /// Whether no channel works of those on which the responders are notified.
  public func canNotifyNobody(_ failing: Set<Channel.Kind>) -> Bool {
    !kinds.isEmpty && kinds.isSubset(of: failing)
  }

  /// Returns the times for which the message can be scheduled; it is rescheduled to the last of
  /// them.
  ///
  /// Once the grace time is over, a monitor notifies the responders itself and keeps the message an
  /// hour ahead. A monitor that can't notify anyone lets it be sent, once. A deadline beyond the
  /// horizon is approached in steps of a day or two.
  private func times(at now: Date, canNotifyNobody: Bool) -> ClosedRange<Date> {
    let graceEnd = min(deadline.graceEnd, outing?.graceEnd ?? .distantFuture)
    guard graceEnd <= now else {
      let (end, horizon) = (graceEnd + Self.delay, now + Self.horizon)
      return end > horizon ? now + .hours(24)...horizon : end...end
    }
    return canNotifyNobody ? graceEnd...now + Self.delay : now + .minutes(30)...now + .hours(1)
  }
}
