import Clients
import Composable
import Domain

/// `lifesignal init`: the onboarding without the screen.
struct InitCommand: Equatable {
  var account: NewAccount

  /// - Throws: which option is wrong and why.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let profile = Profile(
      name: try Self.read("name", arguments.value("name") ?? "", ProfileRules.name),
      phone: try Self.read("phone", arguments.value("phone") ?? "", ProfileRules.phone),
      note: try Self.read("note", arguments.value("note") ?? "", ProfileRules.note),
      email: try arguments.value("email").map { text throws(UsageError) in
        try Self.read("email", text, ProfileRules.email)
      })
    let interval = try Self.read(
      "interval", arguments.value("interval") ?? "24h",
      { text throws(ValidationError) in try CheckInInterval(parsing: text) })
    let grace = try Self.read(
      "grace", arguments.value("grace") ?? "15m",
      { text throws(ValidationError) in
        try EscalationRules.grace(TimeSpan(parsing: text))
      })
    var leads: [TimeSpan] = []
    for text in arguments.values("reminder") {
      leads.append(
        try Self.read(
          "reminder", text,
          { text throws(ValidationError) in
            let lead = try TimeSpan(parsing: text)
            _ = try EscalationRules.reminders([lead], interval: interval)
            return lead
          }))
    }
    if leads.isEmpty { leads = [.minutes(30)] }
    var responders: [ContactDraft] = []
    for text in arguments.values("responder") {
      responders.append(
        try Self.read(
          "responder", text,
          { text throws(ValidationError) in try ContactDraft(parsingResponder: text) }))
    }
    account = NewAccount(
      profile: profile, interval: interval, reminders: Set(leads).sorted(by: >), grace: grace,
      responders: responders)
  }

  private static func read<Value>(
    _ option: String, _ text: String, _ rule: (String) throws(ValidationError) -> Value
  ) throws(UsageError) -> Value {
    do { return try rule(text) } catch {
      let advice = error.recoverySuggestion.map { " \($0)" } ?? ""
      throw UsageError(
        message: "--\(option): \(error.errorDescription)\(advice)", command: "init")
    }
  }

  func run(_ console: Console) async throws(AuthError) -> ExitCode {
    @Dependency(\.authClient) var authClient
    @Dependency(\.dateClient) var dateClient
    let user = try await authClient.createAccount(account)
    let deadline = dateClient.calendar.describe(user.deadline.date, now: dateClient.now())
    console.say("Welcome, \(user.profile.name). Your first deadline is \(deadline).")
    if account.responders.isEmpty {
      console.say("Nobody would be told if you miss it: add a responder in the app.")
    } else {
      let names = account.responders.map(\.name).joined(separator: ", ")
      console.say("If you miss it: \(names), \(user.grace.exactDescription) later.")
    }
    return .ok
  }
}
