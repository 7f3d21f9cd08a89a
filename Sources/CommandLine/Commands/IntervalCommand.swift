import Clients
import Composable
import Domain

/// `lifesignal interval`: shows or changes how often the user checks in (INT-1).
struct IntervalCommand: StoreCommand {
  /// The new interval; `nil` to show the current one.
  var interval: CheckInInterval?
  @Dependency(\.userClient) var userClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "interval", "Show or change how often you check in",
    discussion: [
      "The deadline counts from your last check-in, so a shorter interval can put it in the past. Then"
        + " the command changes nothing: check in first.",
      "lifesignal schedule has you check in by times of day instead; this goes back.",
      "If a passphrase gate is set, a longer interval asks for the passphrase, or reads it from standard"
        + " input.",
    ],
    exitCodes: [.locked, .init(code: .refused, help: "You are overdue: check in first")]
  ) { syntax in
    let interval = syntax.argument(
      "DURATION", "The new interval, 1h to 30d; without it, shows the current one",
      isRequired: false, read: CheckInInterval.init(parsing:))
    return { IntervalCommand(interval: try $0.value(of: interval)) }
  }

  /// The current interval can be read from a store that can't be written.
  var onlyReads: Bool { interval == nil }

  func run(_ invocation: Invocation) async throws -> Report {
    let user = try await userClient.currentUser()
    guard let interval else {
      return Report(["You check in \(user.promiseInWords). \(next(user))"])
    }
    guard .interval(interval) != user.promise else {
      return Report(["You already check in \(user.promiseInWords). \(next(user))"])
    }
    let changed = user.checkingIn(every: interval)
    let now = dateClient.now()
    // Nobody sees a question here, so nothing is changed that would notify people.
    guard changed.deadline.date > now || user.deadline.date <= now else {
      throw CommandFailure(
        "With this interval your deadline would have been \(dateClient.describe(changed.deadline.date)).",
        advice: "Check in first: lifesignal check-in, then this again.")
    }
    let saved = try await invocation.passingGate {
      try await checkInClient.updateInterval(interval)
    }
    return Report(["You now check in \(saved.promiseInWords). \(next(saved))"])
  }

  private func next(_ user: User) -> String {
    let deadline = user.deadline
    let when = dateClient.describe(deadline.next(at: dateClient.now()))
    return deadline.isPaused(at: dateClient.now())
      ? "Check-ins are paused until \(when)." : "The deadline is \(when)."
  }
}
