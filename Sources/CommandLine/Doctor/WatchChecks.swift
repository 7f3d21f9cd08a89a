import Clients
import Domain
import FoundationEssentials

/// Checks that a monitor is running and that its messages would be sent.
enum WatchChecks {
  /// Reports zone data that is missing, or that isn't what the next set time was computed from
  /// (SCH-3).
  static func zoneData(of user: User) -> Finding? {
    guard let schedule = user.schedule else { return nil }
    let zone = schedule.times.zone
    guard let rules = ZoneData.rules(of: zone) else {
      return .warning(
        .account,
        "This computer has no data of the time zone \(zone), so your set times follow the rule that was in force"
          + " when you chose them.", "Install the package tzdata.")
    }
    var computed = schedule
    computed.moveOn(lastCheckIn: user.lastCheckIn, pausedUntil: user.pausedUntil)
    guard rules.ruleText == schedule.rule, computed.next == schedule.next else {
      return .warning(
        .account, "The rules of the time zone \(zone) have changed since you chose your set times.",
        "Look at lifesignal schedule, and choose them again if a time is wrong.")
    }
    return nil
  }

  static func configuration(
    _ result: Result<SavedConfiguration, ConfigurationError>, password: PasswordSource,
    kinds: Set<Channel.Kind>? = nil
  ) -> Finding {
    switch result {
    case .failure(let error):
      return .failure(
        .configuration, error.errorDescription,
        error.recoverySuggestion ?? "Fix the file; it is read again when it changes.")
    case .success(let saved):
      if let exposure = saved.exposure, exposure.blocksMail {
        return .failure(
          .configuration, "Mail isn't sent, because others can change the mail settings.",
          exposure.recoverySuggestion)
      }
      let configuration = saved.configuration
      if let sendmail = configuration.sendmail {
        return .ok(.configuration, "Mail is sent by \(sendmail.path).")
      }
      guard let smtp = configuration.smtp else {
        guard kinds?.contains(.email) != false else {
          return .ok(.configuration, "Mail isn't set up, and none of your channels needs it.")
        }
        return .failure(
          .configuration, "Mail isn't set up, so nobody is notified by e-mail.",
          "Run lifesignal mail setup.")
      }
      let found = "Mail is sent through \(smtp.host), port \(smtp.port)"
      guard smtp.username != nil else { return .ok(.configuration, "\(found).") }
      switch password {
      case .variable:
        return .ok(
          .configuration, "\(found); the password comes from \(Invocation.passwordVariable).")
      case .kept(let source):
        return .ok(.configuration, "\(found); the password comes from \(source.text).")
      case .missing:
        return .failure(
          .configuration, "There is no password for \(smtp.host).",
          "Save it with lifesignal keychain set smtp-password.")
      case .unreadable(let error):
        return .failure(
          .configuration, "There is no password for \(smtp.host): \(error.errorDescription)",
          error.recoverySuggestion)
      }
    }
  }

  /// Warns if mail is sent from the user's own mailbox to a responder with no other channel.
  /// Doesn't check for a duress passphrase, because that would reveal one (DUR-1).
  static func mailbox(
    _ sender: String?, of user: User, _ contacts: [Contact]
  ) -> Finding? {
    guard let sender, sender.lowercased() == user.profile.email?.lowercased(),
      contacts.contains(where: { $0.isResponder && $0.hasOnlyMail })
    else { return nil }
    return .warning(
      .configuration,
      "Mail is sent from your own mailbox, so a copy may appear in your Sent folder: anyone who reads"
        + " your mail sees who was notified.",
      "Give each responder another channel, such as ntfy.")
  }

  static func errorLog(_ settings: ErrorLogSettings) -> Finding {
    .ok(
      .errorLog,
      "The error log is also sent to \(settings.host), as set in config.json5. It contains no"
        + " names.")
  }

  static func watch(
    _ status: WatchStatus?, kinds: Set<Channel.Kind>? = nil, now: Date
  ) -> Finding {
    guard let status else {
      return .failure(.watch, "Can't tell whether a monitor is running.", "See the store above.")
    }
    let watched = Situation.Watch(status: status, usedKinds: kinds)
    if let fault = watched.fault {
      return .failure(.watch, fault, fault.contains("lifesignal ") ? nil : "See lifesignal status.")
    }
    guard watched.isRunning else {
      return .failure(
        .watch,
        "No monitor is running\(watched.standbyText(now: now).map { ", but \($0)" } ?? "").",
        "Run lifesignal monitor install, or lifesignal monitor --detach.")
    }
    if let problem = watched.problem?.text {
      // The problem may already name a command; there may be no file yet.
      return .failure(
        .watch, problem,
        problem.contains("lifesignal ")
          ? nil : "Fix config.json5; the monitor reads it again when it changes.")
    }
    if let notice = watched.notice {
      return .warning(.watch, notice, "Once it is fixed, the monitor goes on by itself.")
    }
    return .ok(.watch, "Watched by \(watched.text(now: now)).")
  }

  /// Warns of each service whose messages may count as sent although they weren't.
  static func services(_ catalog: ServiceCatalog, _ used: [Channel]) -> [Finding] {
    catalog.acceptanceWarnings(for: used).map {
      .warning(.delivery, $0, "See docs/delivery.md, Services.")
    }
  }

  /// - Parameter own: The user's own channels.
  static func responders(_ contacts: [Contact], own: [Channel] = []) -> Finding {
    let responders = contacts.filter(\.isResponder)
    guard !responders.isEmpty else {
      return .failure(
        .responders, "You have no responder: nobody would be notified.",
        "Run lifesignal contacts add, or press a under Responders.")
    }
    let mute = responders.filter(\.hasNoChannel)
    guard mute.isEmpty else {
      return .failure(
        .responders,
        "\(mute.map(\.name).joinedAsList) can't be notified: there is no address.",
        "Add one for each under Responders.")
    }
    let isOwn = responders.filter { contact in
      contact.channels.contains { channel in own.contains(where: channel.hasSameAddress) }
    }
    guard isOwn.isEmpty else {
      return .warning(
        .responders,
        "\(isOwn.map(\.name).joinedAsList) would be notified where you are: a silent alert would show there.",
        "Give each an address of their own under Responders.")
    }
    return .ok(
      .responders,
      "\(responders.count) responder\(responders.count == 1 ? " has" : "s have") a channel.")
  }

  /// Checks the results of the last messages, whatever they were about.
  /// - Parameter others: The last message on each channel of the user and their contacts, including
  ///   tests.
  static func deliveries(
    _ alerts: [AlertReport], _ others: [DeliveryReport] = [], calendar: CivilCalendar, now: Date
  ) -> Finding {
    // Only the newest result per address counts: a message that was sent in the end is fine.
    var newest: [String: DeliveryReport] = [:]
    for delivery in alerts.flatMap(\.deliveries) + others
    where delivery.state == .sent || ChannelHealth(delivery).isFailing {
      if let other = newest[delivery.address], other.plannedAt > delivery.plannedAt { continue }
      newest[delivery.address] = delivery
    }
    let failing = newest.values.filter { $0.state != .sent }
      .sorted { ($0.recipient, $0.address) < ($1.recipient, $1.address) }
    guard let first = failing.first else {
      return .ok(
        .delivery,
        newest.isEmpty
          ? "No message has been sent yet." : "The last message to everyone was sent.")
    }
    var names: [String] = []
    for message in failing {
      let name =
        (message.recipientID == .owner ? "you" : message.recipient) + " by \(message.channel.title)"
      if !names.contains(name) { names.append(name) }
    }
    let reason = first.error.map { $0.hasSuffix(".") ? $0 : "\($0)." } ?? ""
    return .failure(
      .delivery,
      "The last message to \(names.joinedAsList), planned"
        + " \(calendar.describe(first.plannedAt, now: now)), was not sent: \(reason)",
      "Fix it, then rehearse with lifesignal drill.")
  }

  static func service(
    _ manager: ServiceInstaller.Manager, isInstalled: Bool, state: SystemdState, lingers: Bool?,
    crontab: String? = nil, crontabLine: String = "@reboot lifesignal monitor --detach"
  ) -> Finding {
    switch manager {
    case .absent:
      guard startsMonitor(crontab ?? "") else {
        return .warning(
          .service, "No systemd here, and nothing in your crontab starts a monitor after a reboot.",
          "Add the line \(crontabLine) with crontab -e.")
      }
      return .ok(.service, "Your crontab starts a monitor.")
    case .unreachable:
      return .warning(
        .service, "Can't talk to your systemd from here.", "Try again from your own login session.")
    case .present: break
    }
    guard isInstalled || state.isActive else {
      return .warning(
        .service, "The monitor isn't a service: it won't start again after a reboot.",
        "Run lifesignal monitor install.")
    }
    guard state.isActive else {
      return .failure(
        .service, "The monitor's service is \(state.text).",
        "See journalctl --user -u \(ServiceUnit.name).")
    }
    guard lingers != false else {
      return .warning(
        .service, "The monitor's service ends when you log out.", "Run loginctl enable-linger.")
    }
    return .ok(.service, "The monitor's service is \(state.text).")
  }

  private static func startsMonitor(_ crontab: String) -> Bool {
    crontab.split(separator: "\n").contains { line in
      let line = line.drop { $0.isWhitespace }
      return !line.hasPrefix("#")
        && (line.contains("lifesignal monitor") || line.contains("lifesignal-monitor"))
    }
  }

  /// The test goes by e-mail, which none of the user's channels uses.
  static let needlessTest = Finding.warning(
    .testDelivery, "No test message was sent: none of your channels is e-mail.",
    "Send one to a channel with lifesignal channels test CHANNEL.")

  static func testDelivery(_ outcome: ProgramOutcome?) -> Finding {
    guard let outcome else {
      return .failure(
        .testDelivery, "lifesignal-monitor could not be started.",
        "Install it in the folder of lifesignal.")
    }
    let lines = outcome.output.split(separator: "\n").map {
      String($0.trimmingPrefix("lifesignal-monitor: ")).trimmingWhitespace()
    }
    let text = lines.joined(separator: " ")
    guard outcome.isSuccess else {
      return .failure(
        .testDelivery, "The test message wasn't sent. \(text)",
        "Fix it, then run lifesignal doctor --send-test again.")
    }
    return .ok(.testDelivery, text)
  }
}

/// The source of the mail server's password.
enum PasswordSource: Equatable, Sendable {
  /// The environment, which a service doesn't see.
  case variable
  case kept(SecretSource)
  case missing
  case unreadable(KeychainError)
}
