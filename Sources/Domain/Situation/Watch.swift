public import FoundationEssentials

extension Situation {
  /// Who watches the deadlines, and what keeps them from sending (WCH-1).
  public struct Watch: Equatable, Sendable {
    /// The state of the monitors, or `nil` while it isn't known.
    public let status: WatchStatus?
    /// The kinds of channel that the person and their responders use, or `nil` while they aren't
    /// known.
    public let usedKinds: Set<Channel.Kind>?
    /// The kinds on which the responders can be notified, or `nil`.
    private let responderKinds: Set<Channel.Kind>?

    /// - Parameter usedKinds: The kinds of channel that the person and their responders use, or
    ///   `nil` while they aren't known.
    public init(status: WatchStatus?, usedKinds: Set<Channel.Kind>? = nil) {
      self.status = status
      self.usedKinds = usedKinds
      responderKinds = nil
    }

    init(of facts: AccountFacts) {
      status = facts.watch
      responderKinds = facts.overview?.channelKinds
      usedKinds = responderKinds.map { $0.union(facts.channels.own.map(\.kind)) }
    }

    /// Whether a monitor is known to run.
    public var isRunning: Bool { (status?.monitors ?? 0) > 0 }

    /// Whether it is known that no monitor runs.
    public var isMissing: Bool { status?.monitors == 0 }

    /// Why no monitor here can watch the account, as a sentence: it was moved, or the store is
    /// damaged.
    public var fault: String? {
      guard let fault = status?.fault, !isRunning || fault == status?.problem else { return nil }
      return fault
    }

    /// Why the monitors can't watch, or can't send everything that is used.
    public enum Problem: Equatable, Sendable {
      /// They can't watch the account, as a sentence.
      case fault(String)
      /// They can't send.
      /// - Parameters:
      ///   - onlyMail: Whether everything but mail is sent.
      ///   - reason: Why, as the end of a sentence.
      case blocked(onlyMail: Bool, reason: String)

      public var reason: String {
        switch self {
        case .fault(let reason), .blocked(_, let reason): reason
        }
      }
    }

    public var problem: Problem? {
      if let fault { return .fault(fault) }
      guard isRunning else { return nil }
      return status?.problem(concerning: usedKinds).map {
        .blocked(onlyMail: status?.failingKinds == [.email], reason: $0)
      }
    }

    /// What keeps nothing from being sent, but doesn't work, as sentences.
    public var notice: String? { fault == nil ? status?.notice : nil }

    /// Why no message could be sent to the responders now, as the end of a sentence, or `nil` if one
    /// could or that isn't known.
    public var failureReason: String? { status?.failureReason(on: responderKinds) }

    /// Whether the monitors can send to others but not to this contact.
    public func leavesOut(_ contact: Contact) -> Bool { status?.leavesOut(contact) ?? false }

    /// The standby that notices while no monitor runs, or `nil` if none works (WCH-2).
    public func standby(at now: Date) -> StandbyStatus? {
      guard let standby = status?.standby, standby.works(at: now) else { return nil }
      return standby
    }

    /// The same without the time of the last report, which changes every few seconds.
    var withoutTime: Self {
      guard var status else { return self }
      status.lastSeen = nil
      return Self(status, usedKinds, responderKinds)
    }

    private init(
      _ status: WatchStatus, _ usedKinds: Set<Channel.Kind>?, _ responderKinds: Set<Channel.Kind>?
    ) {
      self.status = status
      self.usedKinds = usedKinds
      self.responderKinds = responderKinds
    }
  }
}

extension WatchStatus {
  /// The silence after which a monitor looks suspicious. A monitor reports every 10 s, and its
  /// lease expires only after 30 s.
  public static let silenceLimit = TimeSpan.seconds(12)

  /// Returns the time since the last report of monitors that should be running, or `nil` if it isn't
  /// too long.
  public func silence(at now: Date) -> TimeSpan? {
    guard monitors > 0, let lastSeen else { return nil }
    let silence = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(lastSeen)))
    return silence >= Self.silenceLimit ? silence : nil
  }

  /// Returns the next time at which ``silence(at:)`` changes if no monitor reports before.
  public func nextVisibleChange(after now: Date) -> Date? {
    guard monitors > 0, let lastSeen else { return nil }
    let second = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(lastSeen).rounded(.down)) + 1)
    return lastSeen + max(second, Self.silenceLimit)
  }
}
