public import FoundationEssentials

/// What the contacts, messages and monitors of an account mean together: who watches, who would be
/// notified, the outcome of each alert, and who needs the person. The app, the commands and the
/// doctor all read it.
///
/// It is judged once per change of the facts, never for a frame, because a person can have thousands
/// of contacts. A program that keeps running judges again only the part that has changed.
public struct Situation: Equatable, Sendable {
  /// The most rows of a kind that a screen shows, and therefore the most that are kept.
  public static let rowLimit = 100

  public private(set) var watch: Watch
  public private(set) var reach: Reach
  /// Whether any message about an alert has failed.
  public private(set) var hasFailures = false
  /// The outcome of each alert that is on.
  public private(set) var outcomes: [Alert.ID: AlertOutcome] = [:]
  /// The last alert other than a drill, if its all-clear couldn't be sent to someone.
  public private(set) var failedAllClear: FailedAllClear?
  public private(set) var calls: Calls

  /// Judges everything from scratch.
  public init(of facts: AccountFacts) {
    watch = Watch(of: facts)
    reach = Reach(of: facts, watch, Refusals(in: facts.alerts))
    calls = Calls(of: facts.overview?.linked ?? [], at: facts.now)
    judgeMessages(of: facts)
  }

  /// Judges what depends on the alerts.
  public mutating func judgeAlerts(of facts: AccountFacts) {
    reach = Reach(of: facts, watch, Refusals(in: facts.alerts))
    judgeMessages(of: facts)
  }

  /// Judges what depends on the responders and on the health of channels.
  public mutating func judgeReach(of facts: AccountFacts) {
    watch = Watch(of: facts)
    reach = Reach(of: facts, watch, reach.refusals)
    outcomes = outcomes(of: facts)
  }

  /// Judges what depends on the monitors. Most of the time they only report as before.
  public mutating func judgeWatch(of facts: AccountFacts) {
    let old = watch
    watch = Watch(of: facts)
    guard watch.withoutTime != old.withoutTime else { return }
    judgeReach(of: facts)
  }

  /// Judges what depends on the contacts with accounts and on the time.
  public mutating func judgeCalls(of facts: AccountFacts) {
    calls = Calls(of: facts.overview?.linked ?? [], at: facts.now)
  }

  private mutating func judgeMessages(of facts: AccountFacts) {
    hasFailures = facts.alerts.contains { $0.deliveries.contains { $0.state == .failed } }
    outcomes = outcomes(of: facts)
    failedAllClear = FailedAllClear(in: facts.alerts)
  }

  private func outcomes(of facts: AccountFacts) -> [Alert.ID: AlertOutcome] {
    let active = facts.alerts.filter(\.alert.isActive)
      .map { ($0.id, judgedOutcome(of: $0, facts)) }
    return Dictionary(active, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the outcome of an alert, judged already if it is on.
  public func outcome(of report: AlertReport, _ facts: AccountFacts) -> AlertOutcome {
    outcomes[report.id] ?? judgedOutcome(of: report, facts)
  }

  private func judgedOutcome(of report: AlertReport, _ facts: AccountFacts) -> AlertOutcome {
    AlertOutcome(
      of: report, to: facts.responders, blockedBy: watch.failureReason,
      hasResponders: reach.hasResponders != false)
  }

  /// What is wrong, the worst first, or `nil` if nothing is known to be.
  public var problem: Problem? {
    if let reason = reach.unreachableReason { return .nobodyReachable(reason) }
    if let problem = watch.problem { return .watch(problem) }
    return reach.failedMailTest.map(Problem.failedMailTest)
  }

  /// Something that keeps messages from being sent.
  public enum Problem: Equatable, Sendable {
    /// A missed deadline would notify nobody: why, as the end of a sentence.
    case nobodyReachable(String)
    /// The monitors can't watch, or can't send everything.
    case watch(Watch.Problem)
    /// A test mail to the person wasn't accepted.
    case failedMailTest(DeliveryReport)
  }

  /// The last all-clear that couldn't be sent to everyone.
  public struct FailedAllClear: Equatable, Sendable {
    public let id: Alert.ID
    public let kind: Alert.Kind
    /// The names of the first recipients.
    public let names: [String]
    public let count: Int

    fileprivate init?(in alerts: [AlertReport]) {
      guard let last = alerts.first(where: { $0.alert.kind != .drill }) else { return nil }
      let failed = last.failedAllClears
      guard !failed.isEmpty else { return nil }
      (id, kind, count) = (last.id, last.alert.kind, failed.count)
      names = failed.prefix(Situation.rowLimit).map(\.recipient)
    }
  }
}

extension [AlertReport] {
  /// The alert that the person raised and hasn't cancelled.
  public var raisedByHand: AlertReport? {
    first { $0.alert.isActive && $0.alert.kind == .manual }
  }

  /// The alert about a missed deadline, until the next check-in.
  public var missed: AlertReport? {
    first { $0.alert.isActive && $0.alert.kind == .missed }
  }

  /// The alert about an outing that hasn't ended (OUT-4).
  public var notBack: AlertReport? {
    first { $0.alert.isActive && $0.alert.kind == .outing }
  }

  /// The last alert, if it is over and someone hasn't been sent that yet.
  public var unfinishedEnd: AlertReport? {
    guard let last = first, !last.alert.isActive else { return nil }
    let isUnfinished = last.messages.contains {
      $0.stage.isEnd && ($0.state == .pending || $0.state == .failed)
    }
    return isUnfinished ? last : nil
  }
}
