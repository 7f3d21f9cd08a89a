import Clients
import Composable
import Domain
import FoundationEssentials

/// `lifesignal schedule`: shows or sets the times of day by which the user checks in (SCH-1).
struct ScheduleCommand: StoreCommand {
  /// The new times as typed; `nil` to show the current ones.
  var times: String?
  var zone: String?
  var opening: TimeSpan?
  @Dependency(\.userClient) var userClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "schedule", "Show or set the times of day by which you check in",
    discussion: [
      "One to six times, each on chosen days: \"daily 09:00\", \"mon-fri 08:30, 18:00\", \"sat,sun 11:00\"."
        + " They are times of one zone, wherever you are. lifesignal interval 24h goes back.",
      "A check-in counts for a time from 6 hours before it, or from the middle between it and the time"
        + " before. An earlier one is kept, but you are still due.",
      "This is not a check-in. If you are overdue, check in first. If a passphrase gate is set, whatever"
        + " brings help later asks for the passphrase, or reads it from standard input, and your responders"
        + " are notified of it.",
    ],
    exitCodes: [.locked, .init(code: .refused, help: "You are overdue: check in first")]
  ) { syntax in
    let times = syntax.words(
      "TIMES", "The new times, such as daily 09:00; without them, shows the current ones")
    let zone = syntax.option(
      "zone", "ZONE",
      "The time zone, such as Europe/Berlin (default: as before, else this computer's)")
    let opening = syntax.option(
      "opens", "DURATION", "How long before a time a check-in counts, 1h to 12h (default: 6h)",
      read: TimeSpan.init(parsing:))
    return { arguments in
      let typed = arguments.rest(from: times)
      return ScheduleCommand(
        times: typed.isEmpty ? nil : typed.joined(separator: " "),
        zone: try arguments.value(of: zone), opening: try arguments.value(of: opening))
    }
  }

  /// The current times can be read from a store that can't be written.
  var onlyReads: Bool { times == nil && zone == nil && opening == nil }

  func run(_ invocation: Invocation) async throws -> Report {
    let user = try await userClient.currentUser()
    guard !onlyReads else {
      return Report(["You check in \(user.promiseInWords)."] + dateClient.lines(about: user))
    }
    let before = user.schedule?.times
    guard let text = times ?? before?.text else {
      throw UsageError(
        sentence: "The times are missing.", advice: "Write lifesignal schedule \"daily 09:00\".")
    }
    if zone == nil, let last = text.split(separator: " ").last, last.contains("/") {
      throw UsageError(
        sentence: "\(quoted(String(last))) isn't a time.",
        advice: "Write a zone like this: --zone Europe/Berlin.")
    }
    let times = try SetTimes(
      parsing: text, zone: zone ?? before?.zone ?? dateClient.calendar.zoneName,
      opening: opening ?? before?.opening ?? SetTimes.standardOpening)
    guard times != before else {
      return Report(["You already check in \(times.inWords)."] + dateClient.lines(about: user))
    }
    let saved = try await invocation.passingGate {
      try await checkInClient.updateSchedule(times)
    }
    return Report(
      ["You now check in \(saved.promiseInWords)."] + dateClient.lines(about: saved)
        + ["The deadline was \(dateClient.describe(user.deadline.date))."])
  }
}

extension DateClient {
  /// Returns what follows from a person's promise, in lines.
  fileprivate func lines(about user: User) -> [String] {
    guard let schedule = user.schedule else {
      return ["The deadline is \(describe(user.deadline.date))."]
    }
    let there = schedule.clockThere(calendar).map { " (\($0))" } ?? ""
    let silence = user.longestSilence(from: now()).shortDescription
    return [
      "The next deadlines are \(schedule.upcoming(3).map(describe).joinedAsList)\(there), in the zone"
        + " \(schedule.times.zone).",
      "A check-in counts from \(describe(schedule.opens)). The longest time you can be silent is \(silence).",
    ]
  }
}
