import Clients
import Domain
import FoundationEssentials

/// Whether somebody watches, and would be heard.
enum WatchChecks {
  static func configuration(
    _ result: Result<SavedConfiguration, ConfigurationError>, password: PasswordSource
  ) -> Finding {
    switch result {
    case .failure(let error):
      return .failure(
        .configuration, error.errorDescription, error.recoverySuggestion ?? "Mend the file.")
    case .success(let saved):
      if let exposure = saved.exposure, exposure.blocksMail {
        return .failure(
          .configuration, "Mail is not sent, since others may write where it goes.",
          exposure.recoverySuggestion)
      }
      let configuration = saved.configuration
      if let sendmail = configuration.sendmail {
        return .ok(.configuration, "Mail is handed in by \(sendmail.path).")
      }
      guard let smtp = configuration.smtp else {
        return .failure(
          .configuration, "Mail is not set up: until it is, nobody is told.",
          "See lifesignal help monitor.")
      }
      let found = "Mail is handed in at \(smtp.host), port \(smtp.port)"
      guard smtp.username != nil else { return .ok(.configuration, "\(found).") }
      switch password {
      case .variable:
        return .ok(
          .configuration, "\(found); the password comes from \(Invocation.passwordVariable).")
      case .kept(let source):
        return .ok(.configuration, "\(found); the password comes from \(source.words).")
      case .missing:
        return .failure(
          .configuration, "There is no password for \(smtp.host).",
          "Keep it by lifesignal keychain set smtp-password.")
      case .unreadable(let error):
        return .failure(
          .configuration, "There is no password for \(smtp.host): \(error.errorDescription)",
          error.recoverySuggestion)
      }
    }
  }

  /// Where mail leaves from the person's own mailbox, and reaches somebody who has no other channel.
  /// It does not look whether there is a duress passphrase: that would tell of one (DUR-1).
  static func mailbox(
    _ sender: String?, of user: User, _ contacts: [Contact]
  ) -> Finding? {
    guard let sender, sender.lowercased() == user.profile.email?.lowercased(),
      contacts.contains(where: { $0.isResponder && $0.hasOnlyMail })
    else { return nil }
    return .warning(
      .configuration,
      "Mail goes out from your own mailbox: a copy may appear in your Sent folder.",
      "Give each responder another channel, such as ntfy.")
  }

  static func errorLog(_ settings: ErrorLogSettings) -> Finding {
    .ok(
      .errorLog,
      "The error log is also sent to \(settings.host), as config.json5 says; it names nobody.")
  }

  static func watch(_ status: WatchStatus?, now: Date) -> Finding {
    guard let status else {
      return .failure(.watch, "Who watches could not be found out.", "See the store above.")
    }
    let watched = WatchReport(status: status)
    guard watched.isWatched else {
      return .failure(
        .watch, "Nobody watches the deadline.",
        "Run lifesignal monitor install, or lifesignal monitor --detach.")
    }
    if let problem = watched.problem {
      return .failure(.watch, problem, "Mend config.json5; the monitor reads it again by itself.")
    }
    let line = watched.line(now: now).trimmingPrefix("Watched by:").trimmingPrefix(while: {
      $0 == " "
    })
    return .ok(.watch, "Watched by \(line).")
  }

  static func responders(_ contacts: [Contact]) -> Finding {
    let responders = contacts.filter { $0.isActive && $0.roles.contains(.responder) }
    guard !responders.isEmpty else {
      return .failure(
        .responders, "You have no responder: nobody would be told.",
        "Run lifesignal contacts add, or press a under Responders.")
    }
    // Another account of the store sees it on its own screen.
    let mute = responders.filter { $0.channels.isEmpty && $0.link == nil }
    guard mute.isEmpty else {
      return .failure(
        .responders,
        "\(mute.map(\.name).joinedAsList) cannot be reached: there is no address.",
        "Give each of them one under Responders.")
    }
    return .ok(
      .responders,
      "\(responders.count) responder\(responders.count == 1 ? "" : "s") can be reached.")
  }

  /// What has become of the messages of the last alerts and drills.
  static func deliveries(_ alerts: [AlertReport]) -> Finding {
    // Whoever was reached in the end is no trouble any more: the newest word of each counts.
    var newest: [String: DeliveryReport] = [:]
    for delivery in alerts.flatMap(\.deliveries) where delivery.state != .cancelled {
      if let other = newest[delivery.address], other.date >= delivery.date { continue }
      newest[delivery.address] = delivery
    }
    let failing = newest.values.filter { $0.state != .sent && $0.error != nil }
      .sorted { $0.recipient < $1.recipient }
    guard let first = failing.first else {
      return .ok(
        .delivery,
        newest.isEmpty
          ? "Nothing has had to be delivered yet." : "The last message to everybody was sent.")
    }
    let names = failing.map(\.recipient).joinedAsList
    let reason = first.error.map { $0.hasSuffix(".") ? $0 : "\($0)." } ?? ""
    return .failure(
      .delivery, "The last message to \(names) was not sent: \(reason)",
      "Rehearse with lifesignal drill once it is mended.")
  }

  static func service(
    _ manager: ServiceInstaller.Manager, isInstalled: Bool, state: SystemdState, lingers: Bool?
  ) -> Finding {
    switch manager {
    case .absent: return .ok(.service, "No systemd here; the app or cron starts the monitor.")
    case .unreachable:
      return .warning(
        .service, "Your systemd cannot be asked from here.", "Try again in a session of your own.")
    case .present: break
    }
    guard isInstalled || state.isActive else {
      return .warning(
        .service, "The monitor is not a service: it ends with the machine.",
        "Run lifesignal monitor install.")
    }
    guard state.isActive else {
      return .failure(
        .service, "The monitor's service is \(state.words).",
        "See journalctl --user -u \(ServiceUnit.name).")
    }
    guard lingers != false else {
      return .warning(
        .service, "The monitor's service ends when you log out.", "Run loginctl enable-linger.")
    }
    return .ok(.service, "The monitor's service is \(state.words).")
  }

  static func testDelivery(_ outcome: ProgramOutcome?) -> Finding {
    guard let outcome else {
      return .failure(
        .testDelivery, "lifesignal-monitor could not be started.",
        "It has to lie beside lifesignal.")
    }
    let lines = outcome.output.split(separator: "\n").map {
      String($0.trimmingPrefix("lifesignal-monitor: ")).trimmingWhitespace()
    }
    let text = lines.joined(separator: " ")
    guard outcome.isSuccess else {
      return .failure(
        .testDelivery, "The test message was not sent. \(text)",
        "Mend it, and run lifesignal doctor --send-test again.")
    }
    return .ok(.testDelivery, text)
  }
}

/// Where the password of the mail server comes from.
enum PasswordSource: Equatable, Sendable {
  /// The environment, of which a service sees nothing.
  case variable
  case kept(SecretSource)
  case missing
  case unreadable(KeychainError)
}
