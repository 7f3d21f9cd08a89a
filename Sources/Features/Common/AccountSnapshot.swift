public import Domain
import FoundationEssentials

/// The current data of the account and the current time. The app feature's streams build it, and
/// every tab gets a copy.
public struct AccountSnapshot: Equatable, Sendable {
  var user: User
  public var contacts: [Contact] {
    didSet {
      areContactsKnown = true
      overview = ContactOverview(contacts, naming: Self.namedResponderLimit)
    }
  }
  /// Whether the contacts have been loaded.
  private(set) var areContactsKnown: Bool
  /// A summary of the contacts, computed once per change because every frame needs it and a person
  /// can have thousands. The store provides it before the contacts. While it is `nil`, nothing
  /// claims that responders are missing.
  private(set) var overview: ContactOverview? {
    didSet {
      moments = ContactChangeTimes(linked)
      situation.judgeReach(of: facts)
      situation.judgeCalls(of: facts)
    }
  }
  /// The times at which a contact looks different although its data doesn't change.
  private(set) var moments = ContactChangeTimes([])
  /// The last check-ins, newest first.
  public var history: [CheckIn] { didSet { isHistoryKnown = true } }
  /// Whether the check-ins have been loaded.
  private(set) var isHistoryKnown: Bool
  /// The figures for the check-ins of the last year (CHK-5).
  public var record = CheckInRecord()
  /// Alerts, newest first.
  public var alerts: [AlertReport] {
    didSet {
      areAlertsKnown = true
      situation.judgeAlerts(of: facts)
    }
  }
  /// Whether the alerts have been loaded.
  private(set) var areAlertsKnown: Bool
  /// The notifications that were shown on screen, newest first.
  public var notifications: [NotificationItem] { didSet { areNotificationsKnown = true } }
  /// Whether the notifications have been loaded.
  private(set) var areNotificationsKnown: Bool
  public var watch: WatchStatus? { didSet { situation.judgeWatch(of: facts) } }
  /// Whether the monitor that watches ends with this program.
  var watchEndsWithProgram = false
  /// The host of the account, which doesn't change while the app runs.
  var host: AccountHost { didSet { situation.judgeWatch(of: facts) } }
  /// The person's own channels, and the health of every channel.
  var channels = ChannelOverview() { didSet { situation.judgeReach(of: facts) } }
  /// The parts whose streams have failed. They keep their last known values.
  var stalls: [Part: Stall] = [:] { didSet { situation.judgeWatch(of: facts) } }
  /// What waits on this device for the server.
  var outbox = Outbox()
  /// The connection to the store or server that provides this data.
  var connection = ConnectionState.local { didSet { situation.judgeWatch(of: facts) } }
  /// The time for which frames are drawn. It advances only when something visible changes (CHK-4).
  var now: Date {
    didSet {
      if moments.contains(anyBetween: oldValue, and: now) { situation.judgeCalls(of: facts) }
    }
  }
  var calendar: CivilCalendar
  /// What the data mean together. Each part is judged when the data that it depends on change.
  private(set) var situation: Situation

  /// - Parameters:
  ///   - contacts: The contacts, or `nil` if they aren't loaded yet.
  ///   - history: The check-ins, or `nil` if they aren't loaded yet.
  ///   - alerts: The alerts, or `nil` if they aren't loaded yet.
  ///   - notifications: The notifications, or `nil` if they aren't loaded yet.
  init(
    user: User, contacts: [Contact]? = nil, history: [CheckIn]? = nil,
    alerts: [AlertReport]? = nil, notifications: [NotificationItem]? = nil,
    watch: WatchStatus? = nil, host: AccountHost = .thisMachine, now: Date,
    calendar: CivilCalendar
  ) {
    self.user = user
    self.contacts = contacts ?? []
    areContactsKnown = contacts != nil
    overview = contacts.map { ContactOverview($0, naming: Self.namedResponderLimit) }
    moments = ContactChangeTimes(overview?.linked ?? [])
    self.history = history ?? []
    isHistoryKnown = history != nil
    self.alerts = alerts ?? []
    areAlertsKnown = alerts != nil
    self.notifications = notifications ?? []
    areNotificationsKnown = notifications != nil
    self.watch = watch
    self.host = host
    self.now = now
    self.calendar = calendar
    situation = Situation(of: AccountFacts(contacts: nil, now: now))
    situation = Situation(of: facts)
  }

  /// The facts that the situation is judged by.
  var facts: AccountFacts {
    AccountFacts(
      contacts: areContactsKnown ? contacts : nil, overview: overview, alerts: alerts,
      channels: channels, watch: knownWatch, now: now)
  }

  /// The number of responders in the overview, which is more than fit on a wide line.
  static let namedResponderLimit = 24

  /// Sets the overview that arrives before the contacts.
  mutating func expect(_ overview: ContactOverview) {
    // The contacts may have been loaded first; their own overview is newer.
    if !areContactsKnown { self.overview = overview }
  }

  /// Sets the notifications from the server's last answer, until current ones arrive.
  mutating func expect(_ notifications: [NotificationItem]) {
    self.notifications = notifications
    areNotificationsKnown = false
  }

  var responderCount: Int { overview?.responderCount ?? 0 }
  /// The first responders by name.
  var namedResponders: [Contact] { overview?.firstResponders ?? [] }
  /// Whether it is known who gets messages. Before all contacts are loaded, the overview is enough
  /// if no message was refused and no kind of channel fails.
  var isReachKnown: Bool {
    areContactsKnown
      || overview != nil && watch != nil && areAlertsKnown && !situation.hasFailures
        && situation.watch.status?.failingKinds == nil
  }
  /// Whether it is known that nobody would be notified.
  var hasNoResponders: Bool { situation.reach.hasResponders == false }
  /// Whether it is known that a missed deadline would notify nobody.
  var isNobodyReachable: Bool { situation.reach.unreachableReason != nil }
  /// Says that nobody would be notified, and why.
  var unreachableText: String {
    guard let reason = situation.reach.unreachableReason, !hasNoResponders else {
      return "Nobody would be notified"
    }
    return "Nobody would be notified: \(reason)"
  }
  /// The contacts with accounts.
  var linked: [Contact] { overview?.linked ?? [] }

  /// The outcome of an alert, judged already if it is on.
  func outcome(of report: AlertReport) -> AlertOutcome { situation.outcome(of: report, facts) }

  /// The active alerts, including drills.
  var activeAlerts: [AlertReport] { alerts.filter(\.alert.isActive) }

  /// The active alerts without drills.
  var activeEmergencies: [AlertReport] { activeAlerts.filter { $0.alert.kind != .drill } }

  var unreadCount: Int { notifications.count { !$0.isRead } }

  /// The person's status, ignoring alerts raised by hand.
  var deadlineStatus: CheckInStatus {
    user.deadline.status(at: now)
  }

  /// The end of the current pause, such as `Mon 08:00`.
  var pauseEndText: String { calendar.describe(user.deadline.next(at: now), now: now) }

  /// The reason why nobody would be notified now, or `nil` if messages can be sent or it isn't
  /// known.
  var failureReason: String? { situation.watch.failureReason }

  /// Why nothing can be sent by a kind of channel now; `nil` when it does, or when that is not known.
  func failureReason(on kind: Channel.Kind) -> String? {
    situation.watch.status?.failureReason(on: [kind])
  }

  /// The person's own channels that reminders go to.
  var remindedChannels: [Channel] {
    user.ownChannels(besides: channels.own.filter { $0.id != user.id })
      .filter { !channels.muted[$0.id].contains(.reminders) }
  }

  /// The reason why reminders can't be sent, or `nil` if they can, if none are set up, or if it
  /// isn't known.
  var reminderFailure: String? {
    let kinds = Set(remindedChannels.map(\.kind))
    guard !user.reminders.isEmpty, !kinds.isEmpty, situation.watch.isRunning else { return nil }
    return situation.watch.status?.failureReason(on: kinds)
  }

  /// Whether the last check-in, and with it the deadline, is in the future because a clock was
  /// wrong.
  var isCheckInAhead: Bool {
    host == .thisMachine && user.lastCheckIn > now + CheckIn.maximumClockLead
  }

  /// The person's status (ORD-2).
  var status: CheckInStatus {
    user.status(at: now, alerts: alerts.lazy.map(\.alert))
  }

  /// The next time at which this snapshot looks different although no data changes: the countdown's
  /// next step, each minute for texts such as *5m ago*, and each second while no monitor reports.
  var nextVisibleChange: Date {
    let deadline = min(user.deadline.nextVisibleChange(after: now), now + .minutes(1))
    let next = user.outing.map { min($0.nextVisibleChange(after: now), deadline) } ?? deadline
    // Lists show no seconds, but a missed deadline must show at once.
    let soonest = moments.next(after: now).map { min($0, next) } ?? next
    return watch?.nextVisibleChange(after: now).map { min($0, soonest) } ?? soonest
  }
}
