import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal check-in`: moves the deadline (CHK-1).
struct CheckInCommand: StoreCommand {
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.offlineClient) var offlineClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.accountHost) var accountHost

  static let declaration = CommandDeclaration(
    "check-in", "Check in now and move the deadline",
    discussion: [
      "A late check-in sends the all-clear to every responder who was notified, and reports"
        + " within 10 seconds whether it was sent. An alert you raised yourself stays on.",
      "If a passphrase gate is set, asks for the passphrase, or reads it from standard input.",
      "If this computer has joined a server that doesn't answer, the check-in is kept and sent in the"
        + " background. Until it is received, your responders don't know of it.",
    ],
    exitCodes: [
      .locked, .init(code: .queued, help: "Kept on this computer; the server hasn't received it"),
    ]
  ) { _ in { _ in CheckInCommand() } }

  var refusal: String { "You are NOT checked in: " }

  func run(_ invocation: Invocation) async throws -> Report {
    var report = Report()
    await report.add(refusalsIn: offlineClient.outbox(), offlineClient, dateClient)
    let user: User
    do {
      user = try await invocation.passingGate {
        try await checkInClient.checkIn(.commandLine)
      }
    } catch ClientError.queued(let date) {
      report.warnings.append(queuedText(date))
      report.exitCode = .queued
      return report
    } catch let error as ClientError {
      throw CommandFailure(invocation.text(of: error).checkInText)
    } catch {
      var failure = CommandFailure(error)
      failure.sentence = refusal + failure.sentence
      throw failure
    }
    let now = dateClient.now()
    if let lateness = user.latenessOfCheckIn(at: now) {
      throw CommandFailure(invocation.text(of: lateness).checkInText)
    }
    // The check-in is stored: a later failure must not make it look otherwise.
    let left = TimeSpan(seconds: user.deadline.secondsLeft(at: now))
    if let end = user.pausedUntil, user.deadline.isPaused(at: now) {
      invocation.say(
        "Checked in. You are still paused until \(dateClient.describe(end)): lifesignal resume ends it."
      )
    } else if user.schedule?.isEarly == true {
      invocation.say(
        "Early: still due by \(dateClient.describe(user.deadline.date)), in \(left.shortDescription)."
          + " A check-in counts from \(dateClient.describe(user.deadline.start)).")
    } else {
      let served = user.schedule?.served.map { " for \(dateClient.describe($0))" } ?? ""
      invocation.say(
        "Checked in\(served). The next deadline is \(dateClient.describe(user.deadline.date)), "
          + "in \(left.shortDescription).")
    }
    // Read afterwards, so that nothing delays the check-in.
    let alerts = (try? await alertClient.currentHistory(StatusReport.alertLimit)) ?? []
    if alerts.raisedByHand != nil {
      report.warnings.append("Your alert is still on. Cancel it with lifesignal alert off.")
    }
    let missed = alerts.first {
      $0.alert.kind == .missed
        && $0.alert.resolvedAt.map { $0 >= user.lastCheckIn } ?? false
    }
    if let missed, missed.hasSentOrPendingMessage {
      await giveAllClear(missed.id, in: &report)
    } else {
      let watch = await Situation.Watch(watchClient)
      report.warnings +=
        [watch.clockWarning].compactMap(\.self) + watch.mailWarnings(invocation) + watch.warnings
    }
    return report
  }

  /// Says that a check-in is kept and isn't received (OFF-2).
  /// - Parameter date: When it was made, by this machine's clock.
  private func queuedText(_ date: Date) -> String {
    connectionClient.showLastKnown()
    let server = accountHost.serverName ?? "the server"
    let user = connectionClient.lastUser()
    let seen = user.map {
      " Your responders still see a deadline of \(dateClient.describe($0.deadline.date))."
    }
    let checked =
      user?.locks.contains(.gate) == true ? " Your passphrase is checked once it is received." : ""
    return
      "Saved at \(dateClient.calendar.time(of: date).clock) on this computer, NOT received yet:"
      + " \(server) hasn't answered.\(seen ?? "")\(checked) It is sent in the background; after a restart of this"
      + " computer only when you use lifesignal again."
  }

  /// Sends the all-clear: responders who were notified are looking for the user (CHK-6).
  private func giveAllClear(_ alert: Alert.ID, in report: inout Report) async {
    do throws(StorageError) { try await watchClient.start() } catch {
      report.warnings.append(
        "Nobody was notified that you checked in: \(error.errorDescription) Call them yourself.")
      return
    }
    let outcome = await AlertDelivery(alert: alert, stage: .allClear).outcome()
    report.lines += outcome.lines
    report.warnings += outcome.warnings
  }
}
