import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal pause`: nobody expects a check-in for a while (CHK-7).
struct PauseCommand: StoreCommand {
  var end: End
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  enum End: Equatable, Sendable {
    /// As it was typed; what it means depends on the clock.
    case text(String)
    case date(Date)
  }

  private static let span = Argument(
    ArgumentDeclaration(
      placeholder: "DURATION", help: "How long, such as 2d or 36h", isRequired: false),
    read: { (text: String) throws(InvalidValue) in text })
  static let until = Option(
    OptionDeclaration(
      name: "until", placeholder: "DATE",
      help: "When it ends instead, such as 2026-12-24 or \"2026-12-24 18:00\""),
    read: { (text: String) throws(InvalidValue) in text })

  static let declaration = CommandDeclaration(
    name: "pause", summary: "Expect no check-in for a while",
    discussion: [
      "A pause lasts at most 30 days. Until it ends nobody is told that you did not check in; then"
        + " the interval begins anew. You are mailed before it ends.",
      "Whoever is overdue checks in first. An alert can be raised at any time.",
    ],
    arguments: [span.declaration], options: [until.declaration], exitCodes: [.locked],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      let span = try arguments.argument(span)
      let date = try arguments.value(of: until)
      switch (span, date) {
      case (let text?, nil), (nil, let text?): return PauseCommand(end: .text(text))
      case (nil, nil): throw .missingArgument(Self.span.declaration, usage: arguments.usage)
      case (_?, _?):
        throw .invalid(
          until.declaration.spelling,
          InvalidValue("A pause has one end.", advice: "Write either how long or until when."),
          of: arguments.invocation)
      }
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let end = try end(at: dateClient.now())
    let user = try await invocation.passingGate {
      (passphrase: Secret<String>?) async throws(CheckInError) in
      try await checkInClient.pause(end, passphrase)
    }
    let now = dateClient.now()
    let first = dateClient.calendar.describe(user.deadline.date, now: now)
    return Report([
      "Paused until \(dateClient.calendar.describe(end, now: now)). The first deadline after it is "
        + "\(first)."
    ])
  }

  private func end(at now: Date) throws(CommandFailure) -> Date {
    switch end {
    case .date(let date): return date
    case .text(let text):
      do throws(ValidationError) {
        return try Pause.end(parsing: text, now: now, calendar: dateClient.calendar)
      } catch {
        throw CommandFailure(error)
      }
    }
  }
}

/// `lifesignal resume`: ends a pause by a check-in (CHK-7).
struct ResumeCommand: StoreCommand {
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    name: "resume", summary: "End a pause by a check-in", exitCodes: [.locked],
    make: { _ in ResumeCommand() })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let user = try await invocation.passingGate {
      (passphrase: Secret<String>?) async throws(CheckInError) in
      try await checkInClient.resume(.commandLine, passphrase)
    }
    let deadline = dateClient.calendar.describe(user.deadline.date, now: dateClient.now())
    return Report(["The pause is over. The next deadline is \(deadline)."])
  }
}
