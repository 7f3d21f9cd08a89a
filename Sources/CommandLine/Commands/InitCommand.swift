import Clients
import Composable
import Domain

/// `lifesignal init`: the onboarding without the screen (ONB-2, ONB-3).
struct InitCommand: StoreCommand {
  var account: NewAccount
  var replacesDamaged: Bool
  @Dependency(\.authClient) var authClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  static let name = Option(
    OptionDeclaration(
      name: "name", placeholder: "NAME", help: "Your name, 2 to 50 characters", isRequired: true),
    read: byRule(ProfileRules.name))
  static let interval = Option(
    OptionDeclaration(
      name: "interval", placeholder: "DURATION",
      help: "How often you will check in, 1h to 30d (default: 24h)"),
    read: byRule { (text: String) throws(ValidationError) in try CheckInInterval(parsing: text) })
  static let phone = Option(
    OptionDeclaration(
      name: "phone", placeholder: "NUMBER", help: "Your phone number with its country code"),
    read: byRule(ProfileRules.phone))
  static let note = Option(
    OptionDeclaration(
      name: "note", placeholder: "TEXT",
      help: "What your responders should know in an emergency, up to 2000 characters"),
    read: byRule(ProfileRules.note))
  static let email = Option(
    OptionDeclaration(
      name: "email", placeholder: "ADDRESS", help: "Where your own reminders are sent"),
    read: byRule(ProfileRules.email))
  static let reminder = Option(
    OptionDeclaration(
      name: "reminder", placeholder: "DURATION",
      help: "How long before the deadline you are reminded (default: 30m); may be repeated",
      isRepeatable: true),
    read: byRule { (text: String) throws(ValidationError) in try TimeSpan(parsing: text) })
  static let grace = Option(
    OptionDeclaration(
      name: "grace", placeholder: "DURATION",
      help: "How long after the deadline your responders are told, 0m to 24h (default: 15m)"),
    read: byRule { (text: String) throws(ValidationError) in
      try EscalationRules.grace(TimeSpan(parsing: text))
    })
  static let repeats = Option(
    OptionDeclaration(
      name: "repeat", placeholder: "DURATION",
      help: "How long until your responders are told again, 10m to 24h (default: 1h)"),
    read: byRule { (text: String) throws(ValidationError) in
      try EscalationRules.repeatInterval(TimeSpan(parsing: text))
    })
  static let responder = Option(
    OptionDeclaration(
      name: "responder", placeholder: "\"NAME <ADDRESS>\"",
      help: "Somebody who is told when you do not check in; may be repeated", isRepeatable: true),
    read: byRule { (text: String) throws(ValidationError) in
      try ContactDraft(parsingResponder: text)
    })
  static let declaration = CommandDeclaration(
    name: "init", summary: "Open your account without the screen",
    discussion: [
      "The deadline starts running at once: the account is a check-in.",
      "Durations are written like 36h, 90m or 2d 12h.",
    ],
    options: [
      name.declaration, interval.declaration, phone.declaration, note.declaration,
      email.declaration, reminder.declaration, grace.declaration, repeats.declaration,
      responder.declaration, AppCommand.setAside.declaration,
    ],
    make: { (arguments: ParsedArguments) throws(UsageError) in try InitCommand(arguments) })

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let profile = Profile(
      name: try arguments.required(Self.name), phone: try arguments.value(of: Self.phone) ?? nil,
      note: try arguments.value(of: Self.note) ?? "", email: try arguments.value(of: Self.email))
    var account = NewAccount(profile: profile)
    account.interval = try arguments.value(of: Self.interval) ?? account.interval
    account.grace = try arguments.value(of: Self.grace) ?? account.grace
    account.repeatInterval = try arguments.value(of: Self.repeats) ?? account.repeatInterval
    let reminders = try arguments.all(Self.reminder)
    if !reminders.isEmpty { account.reminders = reminders }
    do {
      account.reminders = try EscalationRules.reminders(
        account.reminders, interval: account.interval)
    } catch {
      throw .invalid(
        Self.reminder.declaration.spelling, InvalidValue(error), of: arguments.invocation)
    }
    account.responders = try arguments.all(Self.responder)
    if let twice = account.responders.firstAddressGivenTwice {
      throw .invalid(
        Self.responder.declaration.spelling,
        InvalidValue("\(twice) is given twice.", advice: "Name each person once."),
        of: arguments.invocation)
    }
    self.account = account
    replacesDamaged = arguments.isSet(AppCommand.setAside)
  }

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    var account = account
    if let email = invocation.account {
      account.credentials = Credentials(email: email, password: try invocation.readNewPassword())
    }
    let user = try await attempt { [account] () async throws(AuthError) in
      try await authClient.createAccount(account)
    }
    let now = dateClient.now()
    var report = Report([
      "Welcome, \(user.profile.name). Check in by "
        + "\(dateClient.calendar.describe(user.deadline.date, now: now)), "
        + "then every \(user.interval.displayText)."
    ])
    if account.responders.isEmpty {
      report.warnings.append(
        "Nobody would be told: there are no responders. Start lifesignal to add one.")
    } else {
      report.lines.append(
        "\(account.responders.map(\.name).joinedAsList) would be told "
          + "\(user.grace.exactDescription) after a missed deadline.")
    }
    let watch = await WatchReport(watchClient)
    report.warnings += watch.mailWarnings(invocation) + watch.warnings
    return report
  }
}

extension [ContactDraft] {
  /// An address that stands for two people, whom the store would keep as one.
  fileprivate var firstAddressGivenTwice: String? {
    var seen: Set<String> = []
    return compactMap(\.email).first { !seen.insert($0.lowercased()).inserted }
  }
}
