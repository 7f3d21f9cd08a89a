import Clients
import Composable
import Domain

/// `lifesignal check-in`: moves the deadline (CHK-1).
struct CheckInCommand: StoreCommand {
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    name: "check-in", summary: "Say that you are well: the deadline moves",
    discussion: [
      "A late check-in sends the all-clear to every responder who had been told. An alert that was"
        + " raised by hand stays on."
    ],
    make: { _ in CheckInCommand() })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let user = try await attempt { () async throws(CheckInError) in
      try await checkInClient.checkIn(.commandLine)
    }
    // The check-in is stored: whatever fails from here on may not make it look otherwise.
    let now = dateClient.now()
    let left = TimeSpan(seconds: user.deadline.secondsLeft(at: now))
    var report = Report([
      "Checked in. The next deadline is "
        + "\(dateClient.calendar.describe(user.deadline.date, now: now)), "
        + "in \(left.shortDescription)."
    ])
    let alerts = try? await alertClient.history(StatusReport.alertLimit)
    if alerts?.contains(where: \.alert.isActiveByHand) == true {
      report.warnings.append("Your alert is still on. Cancel it with lifesignal alert off.")
    }
    report.warnings += await WatchReport(watchClient).warnings
    return report
  }
}
