import Clients
import Composable
import Domain

/// Follows an alert's messages for the first seconds, so that a command reports who was sent a
/// message, not who should have been (ALT-3).
struct AlertDelivery: Sendable {
  let alert: Alert.ID
  let stage: Stage
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.continuousClock) var clock
  @Dependency(\.dateClient) var dateClient

  /// The number of checks before the command returns, and the pause between them.
  private static let checks = 100
  private static let pause = Duration.milliseconds(100)
  /// The check at which another monitor is started: one that has done nothing by then is dead or
  /// hangs, whatever its lease says.
  private static let checksBeforeStartingAnother = 30
  /// The number of checks made despite a problem. A monitor reads its settings again when it
  /// notices the alert, so the problem may be gone a moment later.
  private static let checksDespiteProblem = 20

  /// Whether the messages are about the alert's end.
  private var endsAlert: Bool { stage != .alertOn }

  struct Outcome: Equatable, Sendable {
    var lines: [String] = []
    /// Empty if everyone was sent a message.
    var warnings: [String] = []
  }

  init(alert: Alert.ID, stage: Stage) {
    self.alert = alert
    self.stage = stage
  }

  /// Reports who was sent a message, once each has been sent or refused for good.
  func outcome() async -> Outcome {
    let report: AlertReport?
    let watch: Situation.Watch
    do throws(ClientError) { (report, watch) = try await wait() } catch {
      return Outcome(warnings: [
        "The server no longer answers, so it isn't known who has been notified\(news). \(advice)"
      ])
    }
    let all = report?.deliveries
    if endsAlert, let all, all.allSatisfy(\.needsNoAllClear) {
      return Outcome(lines: ["Nobody had been notified of it."])
    }
    if !endsAlert, report?.alert.isActive == false {
      return Outcome(lines: sentLine(all ?? []) + ["It was cancelled in the meantime."])
    }
    return describe(all?.filter { $0.stage == stage } ?? [], watch)
  }

  /// Waits until each message has been sent or refused for good, at most ten seconds. In the
  /// meantime, messages that a server deferred are retried.
  /// - Returns: The last report on the alert; `nil` if the store could not be read.
  /// - Throws: If a server doesn't answer, because each further request would take seconds.
  func wait() async throws(ClientError) -> (AlertReport?, Situation.Watch) {
    var report: AlertReport?
    var watch = Situation.Watch(status: nil)
    for check in 1...Self.checks {
      // If the store can't be read now, keep the last report.
      do throws(ClientError) { report = try await read() ?? report } catch {
        if case .storage(.network) = error { throw error }
      }
      watch = await Situation.Watch(watchClient)
      let messages = report?.deliveries.filter { $0.stage == stage } ?? []
      if endsAlert, report?.deliveries.allSatisfy(\.needsNoAllClear) == true { break }
      if !messages.isEmpty, messages.allSatisfy({ $0.state != .pending }) { break }
      if !endsAlert, report?.alert.isActive == false { break }
      if watch.problem != nil, check >= Self.checksDespiteProblem { break }
      let isUntried = messages.allSatisfy {
        // A server that answers slowly is no reason for another monitor.
        $0.state == .pending && $0.error == nil && $0.begunAt == nil
      }
      if isUntried, check == Self.checksBeforeStartingAnother {
        try? await watchClient.startAnother()
      }
      if (try? await clock.sleep(for: Self.pause)) == nil { break }
    }
    return (report, watch)
  }

  private func read() async throws(ClientError) -> AlertReport? {
    try await alertClient.currentHistory(StatusReport.alertLimit).first { $0.id == alert }
  }

  private func describe(_ messages: [DeliveryReport], _ watch: Situation.Watch) -> Outcome {
    let reached = recipients(of: messages)
    let untold = messages.filter { reached[$0.recipientID] == nil && $0.state != .cancelled }
    var outcome = Outcome(lines: sentLine(messages))
    outcome.warnings += warnings(about: untold)
    if messages.isEmpty { outcome.warnings.append("Nobody has been notified\(news) yet.") }
    guard !outcome.warnings.isEmpty else { return outcome }
    outcome.warnings.append((prospect(of: messages, watch) ?? "") + advice)
    return outcome
  }

  /// Why a message hasn't been sent.
  private struct Obstacle: Hashable {
    var reason: String
    var mayHaveBeenSent: Bool
    var isFinal: Bool
  }

  /// Returns a sentence for each reason why people haven't been notified, because a slow server
  /// keeps all of them waiting.
  private func warnings(about messages: [DeliveryReport]) -> [String] {
    var names: [Obstacle: [String]] = [:]
    var obstacles: [Obstacle] = []
    var named: [Obstacle: Set<Recipient>] = [:]
    for message in messages.sorted(by: { $0.recipient < $1.recipient }) {
      let waiting = message.waitingText(at: dateClient.now()) {
        dateClient.calendar.time(of: $0).clock
      }
      let obstacle = Obstacle(
        reason: (waiting ?? message.error).map { ": \($0)" } ?? " yet",
        mayHaveBeenSent: message.mayHaveBeenSent, isFinal: message.state == .failed)
      if names[obstacle] == nil { obstacles.append(obstacle) }
      // Once for several channels, and once for each of two people with the same name.
      if named[obstacle, default: []].insert(message.recipientID).inserted {
        names[obstacle, default: []].append(message.recipient)
      }
    }
    return obstacles.map { obstacle in
      let names = names[obstacle] ?? []
      let verb =
        obstacle.mayHaveBeenSent ? "may not have" : names.count == 1 ? "has not" : "have not"
      let end = obstacle.reason.hasSuffix(".") ? "" : "."
      return "\(names.joinedAsList) \(verb) been notified\(news)\(obstacle.reason)\(end)"
        + (obstacle.isFinal ? " It won't be tried again." : "")
    }
  }

  /// Returns the recipients of messages that were sent, with their names.
  private func recipients(of messages: [DeliveryReport]) -> [Recipient: String] {
    let sent = messages.filter { $0.stage == stage && $0.state == .sent }
    return Dictionary(sent.map { ($0.recipientID, $0.recipient) }) { $1 }
  }

  private func sentLine(_ messages: [DeliveryReport]) -> [String] {
    let names = recipients(of: messages).values.sorted()
    guard !names.isEmpty else { return [] }
    let what =
      switch stage {
      case .alertOff: ": the alert is over"
      case .allClear: ": you checked in"
      default: ""
      }
    return ["Sent to \(names.joinedAsList)\(what)."]
  }

  /// The content of the message, unless it is the alert itself.
  private var news: String {
    switch stage {
    case .alertOff: " that it is over"
    case .allClear: " that you checked in"
    default: ""
    }
  }

  private var advice: String {
    endsAlert ? "Call them yourself." : "Call those who weren't notified."
  }

  /// Says whether the waiting messages can still be sent, and what prevents it.
  func prospect(of messages: [DeliveryReport], _ watch: Situation.Watch) -> String? {
    if let problem = watch.problem { return problem.text + " " }
    guard messages.isEmpty || messages.contains(where: { $0.state == .pending }) else { return nil }
    @Dependency(\.accountHost) var accountHost
    return watch.isRunning
      ? "The monitor keeps trying; lifesignal status shows the result. "
      : accountHost.serverName != nil
        ? "No monitor is running. \(Situation.Watch.advice) "
        : "The monitor didn't start: see monitor.log, or run lifesignal monitor. "
  }
}

extension AlertClient {
  /// Returns the alerts as they are now.
  /// - Throws: If only what was last known is available, which doesn't tell what is on or who was
  ///   notified.
  func currentHistory(_ limit: Int) async throws(ClientError) -> [AlertReport] {
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.accountHost.serverName) var serverName
    let reports = try await history(limit)
    guard let server = serverName, connectionClient.state().isAway else {
      return reports
    }
    throw .storage(.network(.serverUnreachable(server)))
  }
}

extension DeliveryReport {
  /// Whether the message can't have informed anyone of the alert.
  fileprivate var needsNoAllClear: Bool {
    state == .cancelled || state == .failed && !mayHaveBeenSent
  }
}
