import Clients
import Composable
import Domain
import Synchronization

/// Says how the person stands: when they ask, and by itself when that has changed.
final class StatusAnnouncer: Sendable {
  private let invocation: Invocation
  private let lastSaid = Mutex<CheckInStatus?>(nil)

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// All that `lifesignal status` says.
  func announce() async {
    @Dependency(\.watchClient) var watchClient
    @Dependency(\.dateClient) var dateClient
    do throws(CommandFailure) {
      let report = try await StatusReport.current()
      lastSaid.withLock { $0 = report.status }
      let watch = await WatchReport(watchClient)
      for line in report.lines(calendar: dateClient.calendar) { invocation.say(line) }
      invocation.say(watch.line(now: report.now))
      if let problem = watch.problem { invocation.say(problem) }
    } catch {
      invocation.say(error.sentence)
    }
  }

  /// One line, where the status is another than the last one said. What cannot be read now is said
  /// when the person asks.
  func announceChange() async {
    @Dependency(\.dateClient) var dateClient
    guard let report = try? await StatusReport.current() else { return }
    let isNew = lastSaid.withLock { last in
      defer { last = report.status }
      return last != nil && last != report.status
    }
    guard isNew, let line = report.lines(calendar: dateClient.calendar).first else { return }
    invocation.say("")
    invocation.say(line)
  }
}
