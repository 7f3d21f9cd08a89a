import Domain
import FoundationEssentials

/// What the contacts, alerts and monitors mean together: who would be notified, the outcome of an
/// alert, who needs the person. Judged once per change of these, never for a frame, because a person
/// can have thousands of contacts.
struct Situation: Equatable, Sendable {
  /// The most rows of a kind that a screen shows, and therefore the most that are kept.
  static let rowLimit = 100

  fileprivate(set) var reach = Reach()
  /// Whether any message about an alert has failed.
  fileprivate(set) var hasFailures = false
  /// The outcome of each alert that is on.
  fileprivate(set) var outcomes: [Alert.ID: AlertOutcome] = [:]
  /// The last alert other than a drill, if its all-clear couldn't be sent to someone.
  fileprivate(set) var failedAllClear: FailedAllClear?
  fileprivate(set) var calls = Calls()

  /// Whether the responders would be notified.
  struct Reach: Equatable, Sendable {
    /// The channels that refuse messages about alerts.
    fileprivate(set) var refusals = Refusals(in: [])
    /// Why a missed deadline would notify nobody, as the end of a sentence, or `nil` if it would
    /// notify someone or that is not known.
    fileprivate(set) var unreachableReason: String?
    /// The first responders who get no messages: the last one on each of their channels was refused,
    /// or the monitors can't send on any of them.
    fileprivate(set) var firstRefused: [Contact] = []
    fileprivate(set) var refusedCount = 0
    /// The first of the other responders.
    fileprivate(set) var firstReachable: [Contact] = []
    /// The first responders with a phone number.
    fileprivate(set) var firstWithPhone: [Contact] = []
  }

  /// The contacts with accounts who want something from the person now.
  struct Calls: Equatable, Sendable {
    /// The dependents with an active alert, the newest alert first.
    private(set) var inAlert: [Contact] = []
    /// The dependents who haven't checked in and whose responders are being notified.
    private(set) var nonResponsive: [Contact] = []
    /// The contacts whose pings are open, newest first.
    private(set) var pingSenders: [Contact] = []
    /// The dependents who can be pinged.
    private(set) var pingable: [Contact] = []
    /// The numbers of contact requests that wait for the person's consent.
    private var offers: [Roles: Int] = [:]
  }

  /// The last all-clear that couldn't be sent to everyone.
  struct FailedAllClear: Equatable, Sendable {
    let id: Alert.ID
    /// A warning: the people who weren't sent it may still be looking for the person.
    let text: String
  }
}

extension Situation {
  /// Judges everything from scratch.
  init(of snapshot: AccountSnapshot) {
    reach = Reach(of: snapshot, refusals: Refusals(in: snapshot.alerts))
    outcomes = snapshot.judgedOutcomes
    failedAllClear = FailedAllClear(in: snapshot.alerts)
    hasFailures = snapshot.alerts.contains { $0.deliveries.contains { $0.state == .failed } }
    calls = Calls(of: snapshot.linked, at: snapshot.now)
  }

  /// Judges what depends on the alerts.
  mutating func judgeAlerts(of snapshot: AccountSnapshot) {
    hasFailures = snapshot.alerts.contains { $0.deliveries.contains { $0.state == .failed } }
    reach = Reach(of: snapshot, refusals: Refusals(in: snapshot.alerts))
    outcomes = snapshot.judgedOutcomes
    failedAllClear = FailedAllClear(in: snapshot.alerts)
  }

  /// Judges what depends on the responders, on the monitors and on the health of channels.
  mutating func judgeReach(of snapshot: AccountSnapshot) {
    reach = Reach(of: snapshot, refusals: reach.refusals)
    outcomes = snapshot.judgedOutcomes
  }

  /// Judges what depends on the contacts with accounts and on the time.
  mutating func judgeCalls(of snapshot: AccountSnapshot) {
    calls = Calls(of: snapshot.linked, at: snapshot.now)
  }
}

extension Situation.Reach {
  fileprivate init(of snapshot: AccountSnapshot, refusals: Refusals) {
    self.refusals = refusals
    let watch = snapshot.knownWatch
    unreachableReason =
      if let overview = snapshot.overview {
        overview.unreachableReason(
          of: snapshot.areContactsKnown ? snapshot.responders : nil, watch: watch,
          channels: snapshot.channels, refusals: refusals)
      } else {
        snapshot.failureReason
      }
    for contact in snapshot.responders {
      if contact.phone != nil, firstWithPhone.count < Situation.rowLimit {
        firstWithPhone.append(contact)
      }
      if snapshot.areContactsKnown,
        refusals.areOn(allChannelsOf: contact) || watch?.leavesOut(contact) == true
      {
        refusedCount += 1
        if firstRefused.count < Situation.rowLimit { firstRefused.append(contact) }
      } else if firstReachable.count < Situation.rowLimit {
        firstReachable.append(contact)
      }
    }
  }
}

extension Situation.Calls {
  fileprivate init(of linked: [Contact], at now: Date) {
    var alerts: [(contact: Contact, date: Date)] = []
    var pings: [(contact: Contact, date: Date)] = []
    for contact in linked {
      guard let link = contact.link else { continue }
      if link.state == .offered { offers[contact.roles, default: 0] += 1 }
      switch link.dependentStatus?.status(at: now) {
      case .alert: alerts.append((contact, contact.activeAlert?.raisedAt ?? .distantPast))
      case .nonResponsive: nonResponsive.append(contact)
      default: break
      }
      if contact.availableOperations(at: now).contains(.ping) { pingable.append(contact) }
      if let ping = contact.openReceivedPing(at: now) { pings.append((contact, ping.sentAt)) }
    }
    inAlert = alerts.sorted { $0.date > $1.date }.map(\.contact)
    pingSenders = pings.sorted { $0.date > $1.date }.map(\.contact)
  }

  /// The number of contact requests for a role that wait for the person's consent.
  func offers(of role: Roles) -> Int {
    offers.reduce(0) { $0 + ($1.key.contains(role) ? $1.value : 0) }
  }
}

extension Situation.FailedAllClear {
  fileprivate init?(in alerts: [AlertReport]) {
    guard let last = alerts.first(where: { $0.alert.kind != .drill }) else { return nil }
    let failed = last.failedAllClears
    guard !failed.isEmpty else { return nil }
    id = last.id
    text = last.failedAllClearText(failed)
  }
}

extension AccountSnapshot {
  fileprivate var judgedOutcomes: [Alert.ID: AlertOutcome] {
    Dictionary(
      activeAlerts.map { ($0.id, judgedOutcome(of: $0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Judges the outcome of an alert from scratch.
  func judgedOutcome(of report: AlertReport) -> AlertOutcome {
    AlertOutcome(of: report, to: responders, isSilent: failureReason != nil)
  }
}
