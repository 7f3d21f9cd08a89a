import Clients
import Composable
import Domain
import SQLite

/// `lifesignal sync`: sends what waits on this machine for the server that it has joined (OFF-5).
struct SyncCommand: StoreCommand {
  /// Whether to go on until nothing waits.
  var isInBackground = false
  @Dependency(\.offlineClient) var offlineClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  static let declaration = CommandDeclaration(
    "sync", "Send what waits for the server",
    discussion: [
      "An alert or a check-in that the server didn't answer is kept on this computer and sent in the"
        + " background, alerts first. After a restart of the computer it is sent when lifesignal is used"
        + " again, or by this command.",
      "Prints a line for each, and says from when it counts.",
    ],
    exitCodes: [
      .init(code: .failure, help: "A check-in was refused: check in again"),
      .init(code: .ok, help: "Nothing waits any more"),
      .init(code: .queued, help: "Something still waits"),
    ]
  ) { syntax in
    let background = syntax.flag(
      "background", "Go on until nothing waits, without saying anything", isHidden: true)
    return { SyncCommand(isInBackground: $0.isSet(background)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    guard !isInBackground else {
      await sendUntilNothingWaits(invocation)
      return Report()
    }
    let alerts = await offlineClient.sendAlerts()
    let deliveries = await offlineClient.sync()
    var report = Report(
      alerts.compactMap { $0.text(dateClient) }
        + deliveries.filter(\.isReceived).map { $0.text(dateClient, connectionClient) })
    let outbox = offlineClient.outbox()
    report.warnings = outbox.waitingTexts(dateClient)
    await report.add(refusalsIn: outbox, offlineClient, dateClient)
    if report.lines.isEmpty, report.warnings.isEmpty { report.lines = ["Nothing waits."] }
    report.exitCode =
      outbox.refused.isEmpty ? outbox.hasWaiting ? .queued : .ok : .failure
    return report
  }

  /// Sends until nothing waits, or this machine has left the server.
  private func sendUntilNothingWaits(_ invocation: Invocation) async {
    guard let folders = try? invocation.folders() else { return }
    let lock = OwnerLock(path: folders.outbox + "/sync")
    guard lock.take() else { return }
    defer { lock.give() }
    let server = try? invocation.joinedServer()
    var random = SystemRandomNumberGenerator()
    let pace = RetryPolicy(maxRetries: .max, firstDelay: 2, factor: 2, jitter: 0.2, ceiling: 60)
    var attempts = 0
    while offlineClient.outbox().hasWaiting, (try? invocation.joinedServer()) == server {
      _ = await offlineClient.sendAlerts()
      _ = await offlineClient.sync()
      let outbox = offlineClient.outbox()
      guard outbox.hasWaiting else { return }
      attempts += 1
      var wait = pace.delay(afterAttempt: attempts, random: &random)
      // Two minutes of every two seconds, then every 15 seconds: someone may be in danger.
      if !outbox.alerts.isEmpty { wait = attempts <= 60 ? 2 : min(wait, 15) }
      guard (try? await clock.sleep(for: .seconds(wait))) != nil else { return }
    }
  }
}

extension Report {
  /// Adds a warning for each check-in that was refused. They are shown once.
  mutating func add(
    refusalsIn outbox: Outbox, _ offlineClient: OfflineClient, _ dateClient: DateClient
  ) async {
    for checkIn in outbox.refused {
      if let text = checkIn.refusalText(dateClient) { warnings.append(text) }
      await offlineClient.dismiss(checkIn.id)
    }
  }
}
