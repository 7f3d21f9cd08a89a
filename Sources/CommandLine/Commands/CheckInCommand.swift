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
    "check-in", "Say that you are well: the deadline moves",
    discussion: [
      "A late check-in sends the all-clear to every responder who had been told, and says within ten"
        + " seconds whether it went out. An alert that was raised by hand stays on.",
      "Where a passphrase gate is set, the passphrase is asked for, or read from standard input.",
    ],
    exitCodes: [.locked]
  ) { _ in { _ in CheckInCommand() } }

  func run(_ invocation: Invocation) async throws -> Report {
    let before = try? await alertClient.history(StatusReport.alertLimit)
    let user = try await invocation.passingGate { passphrase in
      try await checkInClient.checkIn(.commandLine, passphrase)
    }
    // The check-in is stored: whatever fails from here on may not make it look otherwise.
    let now = dateClient.now()
    let left = TimeSpan(seconds: user.deadline.secondsLeft(at: now))
    var report = Report()
    invocation.say(
      "Checked in. The next deadline is "
        + "\(dateClient.describe(user.deadline.date)), "
        + "in \(left.shortDescription).")
    if before?.contains(where: \.alert.isActiveByHand) == true {
      report.warnings.append("Your alert is still on. Cancel it with lifesignal alert off.")
    }
    if let missed = before?.first(where: { $0.alert.isActive && $0.alert.kind == .missed }),
      missed.mayBeKnown
    {
      await giveAllClear(missed.id, in: &report)
    } else {
      let watch = await WatchReport(watchClient)
      report.warnings += watch.mailWarnings(invocation) + watch.warnings
    }
    return report
  }

  /// Those who were told that the person is missed are looking for them (CHK-6).
  private func giveAllClear(_ alert: Alert.ID, in report: inout Report) async {
    do throws(StorageError) { try await watchClient.start() } catch {
      report.warnings.append(
        "Nobody has been told that you are well: \(error.errorDescription) Tell them yourself.")
      return
    }
    let outcome = await AlertDelivery(alert: alert, stage: .allClear).outcome()
    report.lines += outcome.lines
    report.warnings += outcome.warnings
  }
}
