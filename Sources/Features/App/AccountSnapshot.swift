public import Domain
import FoundationEssentials

/// What the store and the clock say now: one value, made by the app feature's streams and handed
/// down to every tab.
public struct AccountSnapshot: Equatable, Sendable {
  var user: User
  public var contacts: [Contact] {
    didSet {
      overview = ContactOverview(contacts, naming: Self.namedResponders)
      areContactsKnown = true
    }
  }
  /// Whether the store has told who they are.
  private(set) var areContactsKnown: Bool
  /// What is to be said of them in every frame, found out when they change: a person may have thousands.
  /// The store tells it before it tells them. Until then, `nil`, nobody is said to be missing.
  private(set) var overview: ContactOverview? { didSet { moments = ContactMoments(linked) } }
  /// When something about them looks different by itself.
  private(set) var moments = ContactMoments([])
  /// The last check-ins, newest first.
  public var history: [CheckIn] { didSet { isHistoryKnown = true } }
  /// Whether the store has told them.
  private(set) var isHistoryKnown: Bool
  /// What the last year of them comes to (CHK-5).
  public var record = CheckInRecord()
  /// Alerts, newest first.
  public var alerts: [AlertReport] { didSet { areAlertsKnown = true } }
  /// Whether the store has told them.
  private(set) var areAlertsKnown: Bool
  /// What was shown on screen, newest first.
  public var notifications: [NotificationItem] { didSet { areNotificationsKnown = true } }
  /// Whether the store has told them.
  private(set) var areNotificationsKnown: Bool
  public var watch: WatchStatus?
  /// Who keeps the account: what that is does not change while the app runs.
  var host: AccountHost
  var appearance: Appearance
  var lists = ListChoices()
  /// The person's own channels, and how every channel works.
  var channels = ChannelOverview()
  /// The parts whose streams have failed: what is shown of them is the last that was known.
  var stalls: [Part: Stall] = [:]
  /// Whether what tells all of this answers.
  var connection = ConnectionState.local
  /// When a frame is drawn for; it moves only when something visible changes (CHK-4).
  var now: Date
  var calendar: CivilCalendar

  /// - Parameters:
  ///   - contacts: `nil` while they are not known.
  ///   - history: `nil` while it is not known.
  ///   - alerts: `nil` while they are not known.
  ///   - notifications: `nil` while they are not known.
  init(
    user: User, contacts: [Contact]? = nil, history: [CheckIn]? = nil,
    alerts: [AlertReport]? = nil, notifications: [NotificationItem]? = nil,
    watch: WatchStatus? = nil,
    appearance: Appearance = Appearance(), host: AccountHost = .thisMachine, now: Date,
    calendar: CivilCalendar
  ) {
    self.user = user
    self.contacts = contacts ?? []
    areContactsKnown = contacts != nil
    overview = contacts.map { ContactOverview($0, naming: Self.namedResponders) }
    moments = ContactMoments(overview?.linked ?? [])
    self.history = history ?? []
    isHistoryKnown = history != nil
    self.alerts = alerts ?? []
    areAlertsKnown = alerts != nil
    self.notifications = notifications ?? []
    areNotificationsKnown = notifications != nil
    self.watch = watch
    self.appearance = appearance
    self.host = host
    self.now = now
    self.calendar = calendar
  }

  /// How many responders are named before all are known: more than a wide line has room for.
  static let namedResponders = 24

  /// Takes what the store says of the contacts before it has told who they are.
  mutating func expect(_ overview: ContactOverview) {
    // What was read later is not overwritten by what was read before.
    if !areContactsKnown { self.overview = overview }
  }

  /// Takes the notifications that were there when the server last answered.
  mutating func expect(_ notifications: [NotificationItem]) {
    self.notifications = notifications
    areNotificationsKnown = false
  }

  /// Those who are notified: only who has consented (CON-2).
  /// - Complexity: O(contacts); ``responderCount`` is O(1).
  var responders: [Contact] { contacts.filter(\.isResponder) }
  var responderCount: Int { overview?.responderCount ?? 0 }
  /// The responders in their order; before all are known, as many as a line names.
  var firstResponders: some Sequence<Contact> {
    (areContactsKnown ? contacts : overview?.firstResponders ?? []).lazy.filter(\.isResponder)
  }
  /// Whether it is known who gets messages. Before all contacts are known that takes that nothing
  /// speaks against it: no message that came back, no monitor that is missing.
  var isReachKnown: Bool {
    areContactsKnown
      || overview != nil && watch != nil && areAlertsKnown && !hasRefusals
        && knownWatch?.failingKinds == nil
  }
  /// Whether it is known that nobody would be notified.
  var hasNobodyToTell: Bool { overview?.responderCount == 0 }
  /// Those among the contacts who have accounts.
  var linked: [Contact] { overview?.linked ?? [] }

  /// Whether any message about an alert came back.
  private var hasRefusals: Bool {
    alerts.contains { $0.deliveries.contains { $0.state == .failed } }
  }

  /// Responders who get no message: the last one on each of their channels was refused, or the monitors
  /// can send by none of them.
  var refusedResponders: [Contact] {
    hasRefusals || knownWatch?.failingKinds != nil
      ? responders.filter { isRefused($0) || isLeftOut($0) } : []
  }

  /// Whether monitors that can send to others can't send to a contact: mail isn't set up, say.
  func isLeftOut(_ contact: Contact) -> Bool { knownWatch?.leavesOut(contact) ?? false }

  /// Whether messages to a contact come back.
  func isRefused(_ contact: Contact) -> Bool { alerts.areRefused(by: contact) }

  /// The alert that the person raised and has not cancelled.
  var activeManualAlert: AlertReport? {
    alerts.first { $0.alert.isActive && $0.alert.kind == .manual }
  }

  /// The alert of the deadline that was missed, until the next check-in.
  var missedAlert: AlertReport? {
    alerts.first { $0.alert.isActive && $0.alert.kind == .missed }
  }

  /// Alerts that are on, drills included.
  var activeAlerts: [AlertReport] { alerts.filter(\.alert.isActive) }

  /// Alerts that are on and meant.
  var activeEmergencies: [AlertReport] { activeAlerts.filter { $0.alert.kind != .drill } }

  var unreadCount: Int { notifications.count { !$0.isRead } }

  /// How the person stands apart from an alert raised by hand.
  var deadlineStatus: CheckInStatus {
    user.deadline.status(at: now)
  }

  /// When the running pause ends, as it is shown in a line: `Mon 08:00`.
  var pauseEndText: String { calendar.describe(user.deadline.start, now: now) }

  /// Why nobody would be notified now; `nil` when messages go out to a responder, or when that is
  /// not known.
  var failureReason: String? { knownWatch?.failureReason(on: overview?.channelKinds) }

  /// The person's own channels that reminders go to.
  var remindedChannels: [Channel] {
    user.ownChannels(besides: channels.own.filter { $0.id != user.id })
      .filter { !channels.muted[$0.id].contains(.reminders) }
  }

  /// Why no reminder would be sent anywhere; `nil` when one would, when there is nowhere to send it, or when
  /// that is not known.
  var reminderFailure: String? {
    let kinds = Set(remindedChannels.map(\.kind))
    guard !user.reminders.isEmpty, !kinds.isEmpty, let knownWatch, knownWatch.monitors > 0 else {
      return nil
    }
    return knownWatch.failureReason(on: kinds)
  }

  /// Whether the last check-in lies ahead, since a clock was wrong, and with it the deadline.
  var isCheckInAhead: Bool {
    host == .thisMachine && user.lastCheckIn > now + CheckIn.longestLead
  }

  /// The kinds of channel that the person and their responders use; `nil` while that is not known.
  var usedKinds: Set<Channel.Kind>? {
    overview.map { $0.channelKinds.union(channels.own.map(\.kind)) }
  }

  /// How the person stands (ORD-2).
  var status: CheckInStatus {
    user.status(at: now, alerts: alerts.lazy.map(\.alert))
  }

  /// When the picture of this snapshot looks different although nobody wrote to the store: the
  /// countdown's next step, each minute for times such as *5m ago*, and each second while nothing is
  /// heard of the monitors.
  var nextVisibleChange: Date {
    let next = min(user.deadline.nextVisibleChange(after: now), now + .minutes(1))
    // Seconds do not show in a list, but what is late does so at once.
    let soonest = moments.next(after: now).map { min($0, next) } ?? next
    return watch?.nextVisibleChange(after: now).map { min($0, soonest) } ?? soonest
  }
}
