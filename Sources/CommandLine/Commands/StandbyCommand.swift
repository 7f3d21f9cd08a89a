import Clients
import Composable
import Domain

/// `lifesignal standby`: who watches if this computer is off (WCH-2).
struct StandbyCommand: StoreCommand {
  @Dependency(\.standbyClient) var standbyClient

  /// `nil` leaves what is set.
  var heartbeat: String?
  var topic: String?

  static let declaration = CommandDeclaration(
    "standby", "Say who watches if this computer is off",
    discussion: [
      "A monitor calls the URL of a heartbeat once a minute, with /fail behind it while it can tell"
        + " nobody: the service behind it tells your people then, and when the calls stop.",
      "At a topic of an ntfy server a message waits until ten minutes after your grace time. Each"
        + " check-in moves it, and so does a monitor that can tell your responders; if neither does, it"
        + " goes out by itself.",
      "Without an option, shows what is set.",
    ],
    exitCodes: [.locked]
  ) { words in
    let heartbeat = words.option(
      "heartbeat", "URL", "The URL of a healthchecks-compatible service; none for none")
    let topic = words.option(
      "ntfy", "TOPIC",
      "A topic at which a message waits, as its name or its URL; none for none")
    return { arguments in
      StandbyCommand(
        heartbeat: try arguments.value(of: heartbeat), topic: try arguments.value(of: topic))
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let before = try await standbyClient.standby()
    guard heartbeat != nil || topic != nil else { return Report(Self.lines(before)) }
    let standby = try Standby(
      validating: Self.typed(heartbeat) ?? before.heartbeat ?? "",
      topic: Self.typed(topic) ?? before.topic ?? "")
    try await invocation.passingGate { passphrase in
      try await standbyClient.update(standby, passphrase)
    }
    return Report(Self.lines(standby))
  }

  /// `none` takes away what was set.
  private static func typed(_ text: String?) -> String? { text == "none" ? "" : text }

  private static func lines(_ standby: Standby) -> [String] {
    guard !standby.isNone else {
      return [
        "Nobody watches if this computer is off.",
        "Try lifesignal standby --heartbeat URL, or --ntfy TOPIC.",
      ]
    }
    return [
      standby.heartbeat.map { "Heartbeat: \($0)" }, standby.topic.map { "ntfy topic: \($0)" },
    ].compactMap(\.self)
  }
}
