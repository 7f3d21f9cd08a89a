public import FoundationEssentials

/// All that the planner needs to know of one account, read in one transaction.
public struct MonitoredAccount: Equatable, Sendable {
  public var user: User
  /// Grows with every write to the account; a plan made for an older revision is not applied.
  public var revision: Int
  /// Contacts with the responder role; each address belongs to one of them.
  public var responders: [Contact]
  /// Who was a responder when somebody passed the gate under duress. What its person is not to see goes
  /// to them too, and nothing else, so that nobody sees that they are kept (CHK-3).
  public var kept: [Contact]
  /// The person's channels besides the address of their account.
  public var furtherChannels: [Channel]
  /// What the person's own channels do not tell (CHN-3).
  public var mutedTopics: MutedTopics
  /// Alerts whose aftermath is not finished: active ones, and resolved ones not yet settled.
  public var alerts: [Alert]
  /// The alert that was begun and is not raised yet (ALT-7).
  public var armed: ArmedAlert?
  /// The deliveries of the running deadline and of ``alerts``, and any of an earlier deadline that
  /// is still pending.
  public var deliveries: [DeliveryRecord]
  /// What was shown to the person about the running deadline.
  public var noticed: Set<Stage>
  /// Since when somebody has watched without a gap, or `nil` where no monitor ever said that it does
  /// (ESC-4).
  public var watchedSince: Date?
  /// Whether another store watches the deadline, because the account moves or has moved to a server.
  public var isWatchedElsewhere: Bool

  public init(
    user: User, revision: Int, responders: [Contact], alerts: [Alert],
    deliveries: [DeliveryRecord], noticed: Set<Stage> = [], watchedSince: Date? = nil,
    furtherChannels: [Channel] = [],
    mutedTopics: MutedTopics = MutedTopics(), armed: ArmedAlert? = nil,
    kept: [Contact] = [], isWatchedElsewhere: Bool = false
  ) {
    self.user = user
    self.revision = revision
    self.responders = responders
    self.alerts = alerts
    self.deliveries = deliveries
    self.noticed = noticed
    self.watchedSince = watchedSince
    self.furtherChannels = furtherChannels
    self.mutedTopics = mutedTopics
    self.armed = armed
    self.kept = kept
    self.isWatchedElsewhere = isWatchedElsewhere
  }

  /// Where the person themselves is notified (REM-1, ESC-1).
  public var ownChannels: [Channel] { user.ownChannels(besides: furtherChannels) }

  /// Where the person is notified of a stage: on all of ``ownChannels`` but those on which they switched
  /// its topic off (CHN-3).
  public func ownChannels(telling stage: Stage) -> [Channel] {
    ownChannels.filter { mutedTopics.tells(stage, on: $0.id) }
  }

  /// By which kinds of channels the responders are notified.
  public var responderKinds: Set<Channel.Kind> {
    Set(responders.flatMap(\.channels).map(\.kind))
  }
}

/// What ought to change in the store for one account, and when to look again.
public struct Plan: Equatable, Sendable {
  /// The alert of a deadline whose grace time is over; ignored where the sequence has one already.
  public var missedAlert: Alert?
  /// The armed alert whose instant has come (ALT-7); ignored where it is raised already.
  public var raisedAlert: Alert?
  /// When the grace time of the running deadline begins again (ESC-4), or `nil` to leave it.
  public var graceFrom: Date?
  /// Messages to enqueue; those that exist already are ignored.
  public var deliveries: [PlannedDelivery]
  /// Pending deliveries that are no longer true.
  public var cancelled: [UUID]
  /// Drills that are over, because everybody has been notified (ALT-6).
  public var endedDrills: [UUID]
  /// What is shown to the person about the running deadline (NOT-1); what was shown
  /// already is ignored.
  public var notices: [Stage]
  /// Resolved alerts with nothing left to do.
  public var settled: [UUID]
  /// When the account needs attention next even if nobody writes to it; `nil` for never.
  public var nextLook: Date?
  /// Whether a deleted account has nobody left to tell, so that the rest of it can go (AUTH-4).
  public var erasesAccount: Bool

  public init(
    missedAlert: Alert? = nil, graceFrom: Date? = nil, deliveries: [PlannedDelivery] = [],
    cancelled: [UUID] = [],
    endedDrills: [UUID] = [], notices: [Stage] = [], settled: [UUID] = [],
    nextLook: Date? = nil, erasesAccount: Bool = false, raisedAlert: Alert? = nil
  ) {
    self.missedAlert = missedAlert
    self.raisedAlert = raisedAlert
    self.graceFrom = graceFrom
    self.deliveries = deliveries
    self.cancelled = cancelled
    self.endedDrills = endedDrills
    self.notices = notices
    self.settled = settled
    self.nextLook = nextLook
    self.erasesAccount = erasesAccount
  }
}

/// A plan with the state of the account that it was made for.
public struct AccountPlan: Equatable, Sendable {
  public var account: User.ID
  /// ``MonitoredAccount/revision`` of what the plan was made from.
  public var revision: Int
  public var plan: Plan

  public init(account: User.ID, revision: Int, plan: Plan) {
    self.account = account
    self.revision = revision
    self.plan = plan
  }
}

/// What is wrong with a monitor: mail is not set up, the server refuses us, its settings are broken.
public struct MonitorProblem: Equatable, Sendable {
  /// For the person to read.
  public var text: String
  /// The kinds of channels that it blocks; the others work. None, where everything goes out all the
  /// same.
  public var kinds: Set<Channel.Kind>

  /// Whether anything does not go out.
  public var isBlocking: Bool { !kinds.isEmpty }

  public init(_ text: String, kinds: Set<Channel.Kind>) {
    self.text = text
    self.kinds = kinds
  }
}

/// Who watches the deadlines of this store (WCH-1).
public struct WatchStatus: Codable, Equatable, Sendable {
  /// How many monitors hold a lease that has not run out.
  public var monitors: Int
  /// The latest sign of life of any monitor, or `nil` when there never was one.
  public var lastSeen: Date?
  /// What keeps the monitors from delivering – mail is not set up, the server refuses us –, or
  /// `nil`.
  public var problem: String?
  /// The kinds of channels that it concerns, or `nil` where nothing goes out at all.
  public var failingKinds: Set<Channel.Kind>?
  /// What is wrong with a monitor and blocks nothing so far, as sentences; `nil` when nothing is.
  public var notice: String?
  /// Which account cannot be watched at all, and why, as a sentence; ``problem`` says it too where
  /// nothing blocks the monitors (ESC-6).
  public var fault: String?

  public init(
    monitors: Int, lastSeen: Date? = nil, problem: String? = nil,
    failingKinds: Set<Channel.Kind>? = nil, fault: String? = nil, notice: String? = nil
  ) {
    self.monitors = monitors
    self.lastSeen = lastSeen
    self.problem = problem
    self.failingKinds = failingKinds
    self.fault = fault
    self.notice = notice
  }

  /// What the living monitors say.
  /// - Parameter problems: Theirs, that of the last one seen first.
  public init(
    monitors: Int, lastSeen: Date?, problems: [MonitorProblem], fault: String? = nil
  ) {
    let blocking = problems.first(where: \.isBlocking)
    self.init(
      monitors: monitors, lastSeen: lastSeen, problem: blocking?.text ?? fault,
      failingKinds: blocking?.kinds, fault: fault,
      notice: problems.first { !$0.isBlocking }?.text)
  }

  /// A pause in the monitors' signs of life up to which they count as one watch. They come every
  /// 10 s; a restart, a slow disk or a step of the clock of this length changes nothing for anybody
  /// (ESC-5), and nothing waits for a monitor longer than this without being judged again.
  public static let longestGap = TimeSpan.minutes(2)

  /// ``problem``, unless it concerns none of these kinds of channel.
  /// - Parameter kinds: Those that the person and their responders use; `nil` while that is not known.
  public func problem(concerning kinds: Set<Channel.Kind>?) -> String? {
    guard let kinds, let failingKinds, kinds.isDisjoint(with: failingKinds) else { return problem }
    return nil
  }

  /// Why no message would go out to the responders now, as the end of a sentence; `nil` when one would,
  /// or when that is not known.
  /// - Parameter kinds: By which kinds they can be notified; `nil` while it is not known.
  public func failureReason(on kinds: Set<Channel.Kind>?) -> String? {
    guard monitors > 0 else { return "no monitor is running" }
    guard let problem, let failingKinds else { return problem }
    guard let kinds, kinds.isSubset(of: failingKinds) else { return nil }
    return problem
  }

  /// Whether the monitors can send by none of a contact's channels, though by others.
  public func leavesOut(_ contact: Contact) -> Bool {
    guard monitors > 0, problem != nil, let failingKinds, contact.link == nil else { return false }
    return !contact.channels.isEmpty
      && contact.channels.allSatisfy { failingKinds.contains($0.kind) }
  }
}
