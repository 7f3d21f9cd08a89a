import Clients
import Composable
import Domain
import Synchronization

/// Says how the person stands: when they ask, and by itself when that has changed, when they are
/// told something, and when their server goes or comes back.
final class StatusAnnouncer: Sendable {
  /// What was said last.
  private struct Said {
    /// `nil` where nothing of anybody was.
    var status: CheckInStatus?
    /// That the server does not answer.
    var isAway = false
  }

  private let invocation: Invocation
  private let said = Mutex(Said())
  private let notifications = PlainNotifications()

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// All that `lifesignal status` says.
  func announce() async {
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.dateClient) var dateClient
    do {
      let wasAway = connectionClient.state().isAway
      var report = try await StatusReport.current()
      // Where the server is away, who watches is unknown, and not asked for.
      let isAway = connectionClient.state().isAway
      if wasAway, !isAway { report = try await StatusReport.current() }
      said.withLock { $0 = Said(status: report.status, isAway: isAway) }
      let watch = isAway ? WatchReport(status: nil) : await WatchReport(watchClient)
      for line in connectionClient.ageLinesWhileAway(dateClient) { invocation.say(line) }
      for line in report.lines(calendar: dateClient.calendar) { invocation.say(line) }
      invocation.say(watch.line(now: report.now))
      if let problem = watch.problem { invocation.say(problem) }
      guard !isAway else { return }
      if let warning = report.muteWarning(calendar: dateClient.calendar) { invocation.say(warning) }
      if let line = await notifications.unreadCountLine() { invocation.say(line) }
    } catch {
      noteFailure()
      invocation.say(CommandFailure(error).sentence)
    }
  }

  /// It was said that nothing could be read.
  func noteFailure() {
    @Dependency(\.connectionClient) var connectionClient
    let isAway = connectionClient.state().isAway
    said.withLock { $0.isAway = isAway }
  }

  /// A line where the status is another than the last one said, one for each new notification, and one where the
  /// server no longer answers, or answers again. What cannot be read now is said when the person asks.
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
        "The server \(server) can't be reached since \(dateClient.describe(since))."
          + " What you heard before may be out of date.")
    } else if !state.isAway, said.withLock({ exchange(&$0.isAway, with: false) }) {
      invocation.say("")
      invocation.say("The server answers again.")
      return await announce()
    }
    if !state.isAway { lines += await notifications.newLines() }
    // Without anything known, the server would be waited for.
    if !state.isAway || connectionClient.lastUser() != nil { lines += await changedStatus() }
    guard !lines.isEmpty else { return }
    for line in [""] + lines { invocation.say(line) }
  }

  private func changedStatus() async -> [String] {
    @Dependency(\.connectionClient) var connectionClient
    @Dependency(\.dateClient) var dateClient
    do {
      let report = try await StatusReport.current()
      let last = said.withLock { exchange(&$0.status, with: report.status) }
      guard last != nil, last != report.status else { return [] }
      return connectionClient.ageLinesWhileAway(dateClient)
        + [report.standingLine(calendar: dateClient.calendar)]
    } catch {
      guard let error = error as? ClientError, error.endsSession,
        said.withLock({ exchange(&$0.status, with: nil) }) != nil
      else { return [] }
      return [
        error.needsSignIn
          ? "You have been signed out: the session ended in another place, or ran out."
          : error.text.sentence
      ]
    }
  }
}

/// Puts a value in place of another.
/// - Returns: The one that was there.
private func exchange<Value>(_ value: inout Value, with new: Value) -> Value {
  defer { value = new }
  return value
}
