import Clients
import Composable
import Domain

/// `lifesignal init`: creates an account without the app (ONB-2, ONB-3).
struct InitCommand: StoreCommand, LocalCommand {
  var account: NewAccount
  var replacesDamaged: Bool
  @Dependency(\.authClient) var authClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  static let declaration = CommandDeclaration(
    "init", "Create your account",
    discussion: [
      "Creating the account counts as the first check-in, so the deadline starts running now.",
      "Write durations like 36h, 90m or 2d 12h.",
    ]
  ) { syntax in
    let name = syntax.option(
      "name", "NAME", "Your name, 1 to 50 characters", isRequired: true, read: ProfileRules.name)
    let interval = syntax.option(
      "interval", "DURATION", "How often you check in, 1h to 30d (default: 24h)",
      read: CheckInInterval.init(parsing:))
    let phone = syntax.option(
      "phone", "NUMBER", "Your phone number with the country code", read: ProfileRules.phone)
    let address = syntax.option(
      "address", "TEXT", "Where help must go, up to 200 characters", read: ProfileRules.address)
    let access = syntax.option(
      "access", "TEXT",
      "How to get in, up to 500 characters; responders see it only while an alert is on",
      read: ProfileRules.access)
    let note = syntax.option(
      "note", "TEXT",
      "What your responders should know in an emergency, up to 2,000 characters",
      read: ProfileRules.note)
    let email = syntax.option(
      "email", "ADDRESS", "Your e-mail address, for reminders", read: ProfileRules.email)
    let reminder = syntax.option(
      "reminder", "DURATION",
      "When to remind you before the deadline (default: 30m); can be repeated",
      isRepeatable: true, read: TimeSpan.init(parsing:))
    let grace = syntax.option(
      "grace", "DURATION",
      "How long after the deadline your responders are notified, 0m to 24h (default: 15m)"
    ) { try EscalationRules.grace(TimeSpan(parsing: $0)) }
    let repeats = syntax.option(
      "repeat", "DURATION",
      "How often your responders are notified again, 10m to 24h (default: 1h)"
    ) { try EscalationRules.repeatInterval(TimeSpan(parsing: $0)) }
    let responder = syntax.option(
      "responder", "\"NAME <ADDRESS>\"",
      "Who is notified if you don't check in, by e-mail, ntfy:TOPIC, a webhook's URL or desktop;"
        + " can be repeated", isRepeatable: true,
      read: ContactDraft.init(parsingResponder:))
    let setAside = syntax.setAside()
    return { arguments in
      let profile = Profile(
        name: try arguments.required(name), phone: try arguments.value(of: phone) ?? nil,
        note: try arguments.value(of: note) ?? "", email: try arguments.value(of: email),
        address: try arguments.value(of: address), access: try arguments.value(of: access))
      var account = NewAccount(profile: profile)
      account.interval = try arguments.value(of: interval) ?? account.interval
      account.grace = try arguments.value(of: grace) ?? account.grace
      account.repeatInterval = try arguments.value(of: repeats) ?? account.repeatInterval
      let reminders = try arguments.all(reminder)
      do throws(ValidationError) {
        account.reminders = try EscalationRules.reminders(
          reminders.isEmpty ? account.reminders : reminders, interval: account.interval)
      } catch {
        throw arguments.invalidValueError(
          reminder, error.errorDescription, advice: error.recoverySuggestion)
      }
      account.responders = try arguments.all(responder)
      if let twice = account.responders.firstAddressGivenTwice {
        throw arguments.invalidValueError(
          responder, "\(twice) is given twice.", advice: "Name each person once.")
      }
      return InitCommand(account: account, replacesDamaged: arguments.isSet(setAside))
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    var account = account
    if let email = invocation.account {
      account.credentials = Credentials(email: email, password: try invocation.readNewPassword())
    }
    let user = try await authClient.createAccount(account)
    var report = Report([
      "Welcome, \(user.profile.name). Check in by "
        + "\(dateClient.describe(user.deadline.date)), "
        + "then \(user.promiseInWords)."
    ])
    if account.responders.isEmpty {
      report.warnings.append(
        "Nobody would be notified: you have no responders. Add one with lifesignal contacts add.")
    } else {
      report.lines.append(
        "\(account.responders.map(\.name).joinedAsList) would be notified"
          + " \(user.grace.inWords) after a missed deadline.")
    }
    let own = Channel.own(of: user.id, email: account.profile.email, besides: [])
    report.warnings +=
      [account.profile.email].compactMap(\.self).compactMap(ProfileRules.doubt(aboutEmail:))
      + account.responders.flatMap { $0.doubts(of: own) }
    let watch = await Situation.Watch(watchClient)
    report.warnings += watch.mailWarnings(invocation) + watch.warnings
    return report
  }
}

extension [ContactDraft] {
  /// The first address given for two people, which would make the store merge them.
  fileprivate var firstAddressGivenTwice: String? {
    var seen: Set<String> = []
    return flatMap(\.channels).map(\.address).first { !seen.insert($0.lowercased()).inserted }
  }
}
