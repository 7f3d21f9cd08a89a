import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal pause`: pauses check-ins for a while (CHK-7).
struct PauseCommand: StoreCommand {
  var end: End
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.connectionClient) var connectionClient

  enum End: Equatable, Sendable {
    /// The text as typed; its meaning depends on the clock.
    case text(String)
    case date(Date)
  }

  static let declaration = CommandDeclaration(
    "pause", "Pause check-ins for a while",
    discussion: [
      "Pauses check-ins for at most 30 days; an outing goes on. Nobody is notified of a missed check-in"
        + " until the pause ends; then a new interval starts. You get a message before it ends.",
      "If you are overdue, check in first. You can raise an alert at any time.",
    ],
    exitCodes: [.locked, .init(code: .refused, help: "You are overdue: check in first")]
  ) { syntax in
    let span = syntax.argument(
      "DURATION", "How long, such as 2d or 2 weeks, or until when: 18:00, tomorrow",
      isRequired: false)
    let more = (0..<2).map { _ in
      syntax.argument(
        "WORD", "More words, as in 2 weeks or until tomorrow 18:00", isRequired: false)
    }
    let until = syntax.option(
      "until", "DATE", "The end of the pause, such as 2026-12-24 or \"2026-12-24 18:00\"")
    return { arguments in
      let typed = try ([span] + more).compactMap { try arguments.value(of: $0) }
      switch (
        typed.isEmpty ? nil : typed.joined(separator: " "), try arguments.value(of: until)
      ) {
      case (let text?, nil), (nil, let text?): return PauseCommand(end: .text(text))
      case (nil, nil):
        throw UsageError(
          sentence: "The length of the pause is missing.",
          advice: "Write lifesignal pause 2d, or lifesignal pause --until DATE.")
      case (_?, _?):
        throw arguments.invalidValueError(
          until, "A pause has one end.", advice: "Write either how long or until when.")
      }
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    await connectionClient.learnTime()
    let end = try end(at: dateClient.now())
    let user = try await invocation.passingGate {
      try await checkInClient.pause(end)
    }
    let first = dateClient.describe(user.deadline.date)
    return Report(
      [
        "Paused until \(dateClient.describe(end)). The first deadline after it is "
          + "\(first)."
      ] + (ConnectionClient.clockWarning(lead: connectionClient.clockLead()).map { [$0] } ?? []))
  }

  private func end(at now: Date) throws -> Date {
    switch end {
    case .date(let date): return date
    case .text(let text):
      do {
        return try Pause.end(parsing: text, now: now, calendar: dateClient.calendar)
      } catch { throw CommandFailure(error, exitCode: .usage) }
    }
  }
}

/// `lifesignal resume`: ends a pause with a check-in (CHK-7).
struct ResumeCommand: StoreCommand {
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "resume", "End a pause and check in", exitCodes: [.locked]
  ) { _ in { _ in ResumeCommand() } }

  func run(_ invocation: Invocation) async throws -> Report {
    let user = try await invocation.passingGate {
      try await checkInClient.resume(.commandLine)
    }
    let deadline = dateClient.describe(user.deadline.date)
    return Report(["The pause is over. The next deadline is \(deadline)."])
  }
}
