import Clients
import Composable
import Domain
import Synchronization

/// Says the user's status when asked, and by itself when it changes, when a notification arrives,
/// and when the server goes away or comes back.
final class StatusAnnouncer: Sendable {
  /// The state that was said last.
  private struct Said {
    /// The status, or `nil` if none was said.
    var status: CheckInStatus?
    /// Whether it was said that the server doesn't answer.
    var isAway = false
    /// What waited for the server.
    var outbox = Outbox()
  }

  private let invocation: Invocation
  private let said = Mutex(Said())
  private let notifications = PlainNotifications()

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// Says all that `lifesignal status` says.
  func announce() async {
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.dateClient) var dateClient
    @Dependency(\.offlineClient) var offlineClient
    do {
      let wasAway = connectionClient.state().isAway
      var report = try await StatusReport.current()
      // While the server is away, the watch status is unknown and not requested.
      let isAway = connectionClient.state().isAway
      if wasAway, !isAway { report = try await StatusReport.current() }
      said.withLock { $0 = Said(status: report.status, isAway: isAway) }
      if !isAway { report.facts.watch = try? await watchClient.status() }
      let watch = report.situation.watch
      let outbox = offlineClient.outbox()
      said.withLock { $0.outbox = outbox }
      for text in outbox.waitingTexts(dateClient) { invocation.say(text) }
      for line in connectionClient.ageLinesWhileAway(dateClient) { invocation.say(line) }
      for line in report.lines(calendar: dateClient.calendar) { invocation.say(line) }
      invocation.say(watch.line(now: report.facts.now))
      for warning in [watch.clockWarning, watch.problem?.text].compactMap(\.self) {
        invocation.say(warning)
      }
      guard !isAway else { return }
      if let warning = report.unreachableWarning(calendar: dateClient.calendar) {
        invocation.say(warning)
      }
      if let line = await notifications.unreadCountLine() { invocation.say(line) }
    } catch {
      noteFailure()
      invocation.say(CommandFailure(error).sentence)
    }
  }

  /// Notes that the user was already informed of a failure.
  func noteFailure() {
    @Dependency(\.connectionClient) var connectionClient
    let isAway = connectionClient.state().isAway
    said.withLock { $0.isAway = isAway }
  }

  /// Says a line if the status has changed, one for each new notification, and one if the server no
  /// longer answers or answers again. Anything that can't be read now is said when the user asks.
  func announceChange() async {
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.accountHost) var accountHost
    @Dependency(\.dateClient) var dateClient
    var lines: [String] = []
    let state = connectionClient.state()
    if case .offline(let since, _) = state, let server = accountHost.serverName,
      said.withLock({ !exchange(&$0.isAway, with: true) })
    {
      lines.append(
        "The server \(server) hasn't been reachable since \(dateClient.describe(since))."
          + " What you heard before may be out of date.")
    } else if !state.isAway, said.withLock({ exchange(&$0.isAway, with: false) }) {
      invocation.say("")
      invocation.say("The server answers again.")
      return await announce()
    }
    lines += await changesOfOutbox()
    if !state.isAway { lines += await notifications.newLines() }
    // If nothing is known yet, this would wait for the server.
    if !state.isAway || connectionClient.lastUser() != nil { lines += await changedStatus() }
    guard !lines.isEmpty else { return }
    for line in [""] + lines { invocation.say(line) }
  }

  /// Sends what waits, and says what was received or refused since the last time.
  private func changesOfOutbox() async -> [String] {
    @Dependency(\.offlineClient) var offlineClient
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.dateClient) var dateClient
    @Dependency(\.userClient) var userClient
    let before = said.withLock { $0.outbox }
    guard before != Outbox() || offlineClient.outbox() != Outbox() else { return [] }
    let isAway = connectionClient.state().isAway
    let alerts = isAway ? [] : await offlineClient.sendAlerts()
    let deliveries = isAway ? [] : await offlineClient.sync()
    let outbox = offlineClient.outbox()
    said.withLock { $0.outbox = outbox }
    var lines = alerts.compactMap { $0.text(dateClient) }
    for checkIn in before.waiting where !outbox.checkIns.contains(where: { $0.id == checkIn.id }) {
      var delivery = OfflineClient.Delivery(checkIn: checkIn, isReceived: true)
      if let own = deliveries.first(where: { $0.checkIn.id == checkIn.id }) {
        delivery = own
      } else {
        // Another program sent it, or dropped it because it was refused.
        delivery.user = try? await userClient.currentUser()
      }
      lines.append(delivery.text(dateClient, connectionClient))
    }
    for checkIn in outbox.refused {
      if let text = checkIn.refusalText(dateClient) { lines.append(text) }
      await offlineClient.dismiss(checkIn.id)
    }
    return lines
  }

  private func changedStatus() async -> [String] {
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.dateClient) var dateClient
    do {
      let report = try await StatusReport.current()
      let last = said.withLock { exchange(&$0.status, with: report.status) }
      guard last != nil, last != report.status else { return [] }
      return connectionClient.ageLinesWhileAway(dateClient)
        + [report.statusLine(calendar: dateClient.calendar)]
    } catch {
      guard let error = error as? ClientError, error.endsSession,
        said.withLock({ exchange(&$0.status, with: nil) }) != nil
      else { return [] }
      return [
        error.needsSignIn
          ? "You have been signed out: the session expired or was ended on another device."
          : error.text.sentence
      ]
    }
  }
}

/// Replaces a value.
/// - Returns: The old value.
private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
  defer { value = new }
  return value
}
