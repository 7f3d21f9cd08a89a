import Clients
import Composable
import Domain
import Synchronization

/// Says how the person stands: when they ask, and by itself when that has changed or when they are
/// told something.
final class StatusAnnouncer: Sendable {
  private let invocation: Invocation
  private let lastSaid = Mutex<CheckInStatus?>(nil)
  private let notifications = PlainNotifications()

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// All that `lifesignal status` says.
  func announce() async {
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.dateClient) var dateClient
    do {
      let report = try await StatusReport.current()
      lastSaid.withLock { $0 = report.status }
      let watch = await WatchReport(watchClient)
      for line in report.lines(calendar: dateClient.calendar) { invocation.say(line) }
      invocation.say(watch.line(now: report.now))
      if let problem = watch.problem { invocation.say(problem) }
      if let line = await notifications.unreadCountLine() { invocation.say(line) }
    } catch {
      invocation.say(CommandFailure(error).sentence)
    }
  }

  /// A line where the status is another than the last one said, and one for each new notification.
  /// What cannot be read now is said when the person asks.
  func announceChange() async {
    var lines = await notifications.newLines()
    if let line = await changedStatus() { lines.append(line) }
    guard !lines.isEmpty else { return }
    for line in [""] + lines { invocation.say(line) }
  }

  private func changedStatus() async -> String? {
    @Dependency(\.dateClient) var dateClient
    guard let report = try? await StatusReport.current() else { return nil }
    let isNew = lastSaid.withLock { last in
      defer { last = report.status }
      return last != nil && last != report.status
    }
    return isNew ? report.lines(calendar: dateClient.calendar).first : nil
  }
}
