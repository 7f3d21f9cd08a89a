import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal check-in`: moves the deadline (CHK-1). `lifesignal back` ends an outing, too (OUT-2).
struct CheckInCommand: StoreCommand {
  var isBack = false
  @Dependency(\.userClient) var userClient
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

  static let back = CommandDeclaration(
    "back", "Say that you are back from an outing, and check in",
    discussion: [
      "Ends the outing and, if your responders were notified of it, sends them the all-clear. If you aren't"
        + " out, it only checks in.",
      "If a passphrase gate is set, asks for the passphrase, or reads it from standard input. If this"
        + " computer has joined a server that doesn't answer, it is kept and sent in the background.",
    ],
    exitCodes: [
      .locked,
      .init(code: .queued, help: "Kept on this computer; the server hasn't received it"),
    ]
  ) { _ in { _ in CheckInCommand(isBack: true) } }

  var refusal: String { isBack ? "You are NOT back yet: " : "You are NOT checked in: " }

  func run(_ invocation: Invocation) async throws -> Report {
    var report = Report()
    await report.add(refusalsIn: offlineClient.outbox(), offlineClient, dateClient)
    let outing = await endingOuting()
    let user: User
    do {
      user = try await invocation.passingGate {
        if let outing { return try await checkInClient.endOuting(outing.id) }
        return try await checkInClient.checkIn(.commandLine)
      }
    } catch ClientError.queued(let date) {
      report.warnings.append(queuedText(date, ending: outing))
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
    if isBack, outing == nil { invocation.say("You weren't out.") }
    if let outing {
      invocation.say(
        "Welcome back. Your outing until \(dateClient.describe(outing.until)) is over.")
    }
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
    if let outing = user.outing {
      invocation.say(
        now < outing.until
          ? "You are still out until \(dateClient.describe(outing.until)). lifesignal back ends that."
          : "You aren't back yet: your outing ended \(dateClient.describe(outing.until))."
            + " Say lifesignal back.")
    }
    // Read afterwards, so that nothing delays the check-in.
    let alerts = (try? await alertClient.currentHistory(StatusReport.alertLimit)) ?? []
    if alerts.raisedByHand != nil {
      report.warnings.append("Your alert is still on. Cancel it with lifesignal alert off.")
    }
    let missed = alerts.first {
      $0.alert.kind.isMissedPromise
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

  /// Returns the outing that is to end; `nil` for a check-in, or if none is on. While the server doesn't
  /// answer, it is the one that was last known.
  private func endingOuting() async -> Outing? {
    guard isBack else { return nil }
    do { return try await userClient.currentUser().outing } catch {
      connectionClient.showLastKnown()
      return connectionClient.lastUser()?.outing
    }
  }

  /// Says that a check-in is kept and isn't received (OFF-2).
  /// - Parameters:
  ///   - date: When it was made, by this machine's clock.
  ///   - outing: The outing that it ends, or `nil`.
  private func queuedText(_ date: Date, ending outing: Outing?) -> String {
    connectionClient.showLastKnown()
    let server = accountHost.serverName ?? "the server"
    let user = connectionClient.lastUser()
    let seen = user.map {
      " Your responders still see a deadline of \(dateClient.describe($0.deadline.date))."
    }
    let expected =
      outing.map { " They still expect you back by \(dateClient.describe($0.until))." }
      ?? (isBack
        ? " No outing is known on this computer: if you are out, say lifesignal back again once it"
          + " answers." : nil)
    let checked =
      user?.locks.contains(.gate) == true ? " Your passphrase is checked once it is received." : ""
    return
      "Saved at \(dateClient.calendar.time(of: date).clock) on this computer, NOT received yet:"
      + " \(server) hasn't answered.\(seen ?? "")\(expected ?? "")\(checked) It is sent in the background; after a restart of this"
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
