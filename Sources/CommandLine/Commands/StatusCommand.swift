import Clients
import Composable
import Domain

/// `lifesignal status`: shows the user's status, for people and scripts.
struct StatusCommand: StoreCommand {
  var asJSON: Bool
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.transferClient) var transferClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.offlineClient) var offlineClient

  static let declaration = CommandDeclaration(
    "status", "Show how much time is left",
    discussion: [
      "The exit code says the same, for scripts.",
      "The JSON has name, status (ok, due_soon, overdue, non_responsive, alert or paused),"
        + " last_check_in and deadline (RFC 3339, UTC), seconds_left (negative after the"
        + " deadline), paused_until (RFC 3339, UTC, or null), responders (their number), alert"
        + " (null while none is on) and problem (why nobody, or not everyone, would be notified, or null)."
        + " If the computer's clock jumped, it also has clock (what happened and what to do).",
      "Where the server that this machine has joined can't be reached, it shows what was last known, and from"
        + " when: as_of in the JSON (RFC 3339, UTC), which is null otherwise.",
      "It also has offline_since (RFC 3339, UTC, or null while the server answers) and queued: what waits on"
        + " this computer for the server, with check_ins (their number), since (when the first was made, or"
        + " null), alert (when an alert was raised that waits, or null) and refused (the number that the server refused). Last_check_in, deadline and"
        + " status are the server's, whatever waits.",
      "It has schedule (null, or times, zone, opens, next and early) and outing (null, or until and text).",
      "The alert has kind (manual, missed or outing), since (RFC 3339, UTC), message, messages and"
        + " responding (each with name and since). Each of the messages has name, channel, state"
        + " (sent, pending or failed), at (when it was sent or is tried next), error (or null),"
        + " may_have_been_sent (true if the server may have accepted it without saying so), waiting_for (the"
        + " server that has kept an attempt waiting for some seconds, or null) and waiting_since (or null)."
        + " Sent means that a server accepted the message, not that anyone read it.",
    ],
    exitCodes: [
      .init(code: .failure, help: "Nothing is known, or only what was last known"),
      .init(code: .ok, help: "All is well, or check-ins are paused"),
      .init(code: .dueSoon, help: "The deadline is near"),
      .init(code: .overdue, help: "The deadline has passed"),
      .init(code: .alert, help: "An alert is on"),
    ]
  ) { syntax in
    let json = syntax.flag("json", "Print one line of JSON")
    return { StatusCommand(asJSON: $0.isSet(json)) }
  }

  /// A store that can't be written is read all the same.
  var onlyReads: Bool { true }

  func run(_ invocation: Invocation) async throws -> Report {
    connectionClient.showLastKnown()
    // After a move, the status of the copy on this machine is meaningless.
    let server = try? await transferClient.movedTo()
    let moved = server.map { ClientError.accountMoved(to: $0) }
    var status: StatusReport
    do { status = try await StatusReport.current() } catch {
      let waiting = offlineClient.outbox().waitingTexts(dateClient)
      guard moved == nil, !waiting.isEmpty else { throw moved ?? error }
      var failure = CommandFailure(error)
      failure.sentence = (waiting + [failure.sentence]).joined(separator: " ")
      throw failure
    }
    // An alert that was raised on this machine is still on here.
    if let moved, status.reportedAlert == nil { throw moved }
    status.asOf = connectionClient.shownAsOf()
    status.outbox = offlineClient.outbox()
    if case .offline(let since, _) = connectionClient.state() { status.offlineSince = since }
    status.offlineSince = status.offlineSince ?? status.asOf
    status.facts.watch = try? await watchClient.status()
    let watch = status.situation.watch
    if asJSON { return Report(exitCode: status.exitCode, verbatim: status.json().text) }
    return Report(
      status.outbox.waitingTexts(dateClient)
        + connectionClient.ageLines(dateClient) + status.lines(calendar: dateClient.calendar)
        + [watch.line(now: status.facts.now)],
      warnings: [moved?.errorDescription].compactMap(\.self)
        + status.outbox.refused.compactMap { $0.refusalText(dateClient) }
        + watch.mailWarnings(invocation)
        + [
          watch.clockWarning, status.warning, watch.notice,
          status.unreachableWarning(calendar: dateClient.calendar),
        ]
        .compactMap(\.self),
      exitCode: status.exitCode)
  }
}

extension ConnectionClient {
  /// Returns the line to show before outdated information; empty if the server answers.
  func ageLines(_ dateClient: DateClient) -> [String] {
    @Dependency(\.accountHost.serverName) var server
    guard let date = shownAsOf(), let server else { return [] }
    return ["The server \(server) can't be reached. As of \(dateClient.describe(date)):"]
  }

  /// Returns the same, for a program that keeps running, but only while the server is away: once it
  /// is back, the age of what was shown before is irrelevant.
  func ageLinesWhileAway(_ dateClient: DateClient) -> [String] {
    state().isAway ? ageLines(dateClient) : []
  }
}
