public import FoundationEssentials

/// Everything the planner needs to know about one account, read in one transaction.
public struct MonitoredAccount: Equatable, Sendable {
  public var user: User
  /// Grows with every write to the account; a plan made for an older revision is not applied.
  public var revision: Int
  /// Contacts with the responder role; each address belongs to one of them.
  public var responders: [Contact]
  /// The people who were responders when the gate was passed under duress. Of them, those who no
  /// longer are get only the messages that the person must not see, so that nobody notices that
  /// they are kept (CHK-3).
  public var respondersKeptUnderDuress: [Contact]
  /// The person's own channels in addition to the account's address.
  public var furtherChannels: [Channel]
  /// The topics switched off on the person's own channels (CHN-3).
  public var mutedTopics: MutedTopics
  /// Alerts with work left to do: active ones, and resolved ones not yet settled.
  public var alerts: [Alert]
  /// The alert that has been armed and not raised yet (ALT-7).
  public var armed: ArmedAlert?
  /// The deliveries of the running deadline and of ``alerts``, and any of an earlier deadline that
  /// is still pending.
  public var deliveries: [DeliveryRecord]
  /// The stages of the running deadline that the person was shown.
  public var shownStages: Set<Stage>
  /// Since when monitors have watched without a gap, or `nil` if none has ever watched (ESC-4).
  public var watchedSince: Date?
  /// Whether another store watches the deadline, because the account is moving or has moved to a
  /// server.
  public var isWatchedElsewhere: Bool
  /// Whether the next set time is earlier than the store has it (SCH-3).
  public private(set) var hasEarlierSetTime = false

  public init(
    user: User, revision: Int, responders: [Contact], alerts: [Alert],
    deliveries: [DeliveryRecord], shownStages: Set<Stage> = [], watchedSince: Date? = nil,
    furtherChannels: [Channel] = [],
    mutedTopics: MutedTopics = MutedTopics(), armed: ArmedAlert? = nil,
    respondersKeptUnderDuress: [Contact] = [], isWatchedElsewhere: Bool = false
  ) {
    self.user = user
    self.revision = revision
    self.responders = responders
    self.alerts = alerts
    self.deliveries = deliveries
    self.shownStages = shownStages
    self.watchedSince = watchedSince
    self.furtherChannels = furtherChannels
    self.mutedTopics = mutedTopics
    self.armed = armed
    self.respondersKeptUnderDuress = respondersKeptUnderDuress
    self.isWatchedElsewhere = isWatchedElsewhere
  }

  /// Takes the next set time from this machine's zone data if it is earlier than the stored one
  /// (SCH-3): zone data changes, and another machine's can be older.
  /// - Returns: Whether it is.
  @discardableResult public mutating func checkSetTime() -> Bool {
    guard let stored = user.schedule, let rules = ZoneData.rules(of: stored.times.zone) else {
      return false
    }
    var computed = stored
    computed.moveOn(lastCheckIn: user.lastCheckIn, pausedUntil: user.pausedUntil, rules: rules)
    guard computed.next < stored.next else { return false }
    user.schedule = computed
    hasEarlierSetTime = true
    return true
  }

  /// The channels on which the person themselves is notified (REM-1, ESC-1).
  public var ownChannels: [Channel] { user.ownChannels(besides: furtherChannels) }

  /// Returns the channels on which the person is notified of a stage: all of ``ownChannels`` except
  /// those with its topic switched off (CHN-3).
  public func ownChannels(for stage: Stage) -> [Channel] {
    ownChannels.filter { mutedTopics.allows(stage, on: $0.id) }
  }

  /// The kinds of channels on which the responders are notified.
  public var responderKinds: Set<Channel.Kind> {
    Set(responders.flatMap(\.channels).map(\.kind))
  }
}

/// The changes that the store needs for one account, and when to plan again.
public struct Plan: Equatable, Sendable {
  /// The alert of a deadline whose grace time is over; ignored if the sequence has one already.
  public var missedAlert: Alert?
  /// The alert of an outing whose grace time is over; ignored if the outing has one already (OUT-4).
  public var outingAlert: Alert?
  /// The outing as it changes: its grace time restarts (ESC-4), or none of the chosen responders is
  /// one any more, so that all are notified (OUT-1). `nil` to leave it.
  public var changedOuting: Outing?
  /// The armed alert that is due (ALT-7); ignored if it is raised already.
  public var raisedAlert: Alert?
  /// The new start of the running deadline's grace time (ESC-4), or `nil` to leave it.
  public var graceFrom: Date?
  /// Messages to enqueue; those that exist already are ignored.
  public var deliveries: [PlannedDelivery]
  /// Pending deliveries to cancel, because they are no longer true.
  public var cancelled: [UUID]
  /// Pending deliveries of drills to give up, because their time is over.
  public var expired: [UUID] = []
  /// Drills that are over, because everyone has been notified (ALT-6).
  public var endedDrills: [UUID]
  /// The stages of the running deadline to show to the person (NOT-1); those shown already are
  /// ignored.
  public var stagesToShow: [Stage]
  /// Resolved alerts with nothing left to do.
  public var settled: [UUID]
  /// When to plan for the account again if nothing is written to it before; `nil` for never.
  public var nextPlanning: Date?
  /// Whether a deleted account has nobody left to notify, so that the rest of it can be erased
  /// (AUTH-4).
  public var erasesAccount: Bool
  /// The schedule with an earlier deadline than the stored one, or `nil` to leave it (SCH-3).
  public var earlierSchedule: Schedule?

  public init(
    missedAlert: Alert? = nil, graceFrom: Date? = nil, deliveries: [PlannedDelivery] = [],
    cancelled: [UUID] = [],
    endedDrills: [UUID] = [], stagesToShow: [Stage] = [], settled: [UUID] = [],
    nextPlanning: Date? = nil, erasesAccount: Bool = false, raisedAlert: Alert? = nil
  ) {
    self.missedAlert = missedAlert
    self.raisedAlert = raisedAlert
    self.graceFrom = graceFrom
    self.deliveries = deliveries
    self.cancelled = cancelled
    self.endedDrills = endedDrills
    self.stagesToShow = stagesToShow
    self.settled = settled
    self.nextPlanning = nextPlanning
    self.erasesAccount = erasesAccount
  }
}

/// A plan and the revision of the account that it was made for.
public struct AccountPlan: Equatable, Sendable {
  public var account: User.ID
  /// The ``MonitoredAccount/revision`` that the plan was made from.
  public var revision: Int
  public var plan: Plan

  public init(account: User.ID, revision: Int, plan: Plan) {
    self.account = account
    self.revision = revision
    self.plan = plan
  }
}

/// A problem of a monitor: mail is not set up, the server refuses us, its settings are broken.
public struct MonitorProblem: Equatable, Sendable {
  /// The problem in words for the person.
  public var text: String
  /// The kinds of channels that it blocks; empty if everything can still be sent.
  public var kinds: Set<Channel.Kind>

  /// Whether any messages are blocked.
  public var isBlocking: Bool { !kinds.isEmpty }

  public init(_ text: String, kinds: Set<Channel.Kind>) {
    self.text = text
    self.kinds = kinds
  }
}

/// The monitors that watch this store's deadlines, and their problems (WCH-1).
public struct WatchStatus: Codable, Equatable, Sendable {
  /// How many monitors hold a lease that has not expired.
  public var monitors: Int
  /// The latest sign of life of any monitor, or `nil` if there never was one.
  public var lastSeen: Date?
  /// What keeps the monitors from delivering, such as missing mail settings or a server that
  /// refuses us; `nil` if nothing does.
  public var problem: String?
  /// The kinds of channels that it blocks, or `nil` if nothing can be sent at all.
  public var failingKinds: Set<Channel.Kind>?
  /// The problems of a monitor that block nothing so far, as sentences; `nil` if there are none.
  public var notice: String?
  /// Which account can't be watched at all, and why, as a sentence; also in ``problem`` if nothing
  /// blocks the monitors (ESC-6).
  public var fault: String?
  /// A jump of the clock by which deadlines are watched; `nil` if there was none lately (ESC-5).
  public var clock: ClockWarning?
  /// What notices if no monitor runs; `nil` if nothing was chosen (WCH-2).
  public var standby: StandbyStatus?

  public init(
    monitors: Int, lastSeen: Date? = nil, problem: String? = nil,
    failingKinds: Set<Channel.Kind>? = nil, fault: String? = nil, notice: String? = nil,
    clock: ClockWarning? = nil, standby: StandbyStatus? = nil
  ) {
    self.monitors = monitors
    self.lastSeen = lastSeen
    self.problem = problem
    self.failingKinds = failingKinds
    self.fault = fault
    self.notice = notice
    self.clock = clock
    self.standby = standby
  }

  /// Creates the status from what the running monitors report.
  /// - Parameter problems: Their problems, those of the monitor seen last first.
  public init(
    monitors: Int, lastSeen: Date?, problems: [MonitorProblem], fault: String? = nil,
    clock: ClockWarning? = nil, standby: StandbyStatus? = nil
  ) {
    let blocking = problems.first(where: \.isBlocking)
    let notices = [problems.first { !$0.isBlocking }?.text, standby?.fault].compactMap(\.self)
    self.init(
      monitors: monitors, lastSeen: lastSeen, problem: blocking?.text ?? fault,
      failingKinds: blocking?.kinds, fault: fault,
      notice: notices.isEmpty ? nil : notices.joined(separator: " "), clock: clock,
      standby: standby)
  }

  /// The longest gap in the monitors' signs of life that still counts as uninterrupted watching.
  /// They come every 10 s; a restart, a slow disk or a clock step of this length has no effect
  /// (ESC-5), and nothing waits longer than this for a monitor without being judged again.
  public static let longestGap = TimeSpan.minutes(2)

  /// Returns ``problem``, unless it blocks none of these kinds of channels.
  /// - Parameter kinds: The kinds that the person and their responders use; `nil` while that is not
  ///   known.
  public func problem(concerning kinds: Set<Channel.Kind>?) -> String? {
    guard let kinds, let failingKinds, kinds.isDisjoint(with: failingKinds) else { return problem }
    return nil
  }

  /// Returns why no message could be sent to the responders now, as the end of a sentence; `nil` if
  /// one could, or if that is not known.
  /// - Parameter kinds: The kinds on which they can be notified; `nil` while that is not known.
  public func failureReason(on kinds: Set<Channel.Kind>?) -> String? {
    guard monitors > 0 else { return "no monitor is running" }
    guard let problem, let failingKinds else { return problem }
    guard let kinds, kinds.isSubset(of: failingKinds) else { return nil }
    return problem
  }

  /// Whether an outside contact's channels are all blocked, while other kinds of channels work.
  public func leavesOut(_ contact: Contact) -> Bool {
    guard monitors > 0, problem != nil, let failingKinds, contact.link == nil else { return false }
    return !contact.channels.isEmpty
      && contact.channels.allSatisfy { failingKinds.contains($0.kind) }
  }
}
