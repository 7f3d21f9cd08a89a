import Clients
import Composable
import Domain

/// `lifesignal standby`: chooses who notices if no monitor is running (WCH-2).
struct StandbyCommand: StoreCommand {
  @Dependency(\.standbyClient) var standbyClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.accountHost) var accountHost

  /// The heartbeat URL; `nil` keeps the current one.
  var heartbeat: String?
  var topic: String?

  static let declaration = CommandDeclaration(
    "standby", "Choose who notices if no monitor is running",
    discussion: [
      "With a heartbeat, a monitor calls the URL once a minute, and URL/fail while it can't"
        + " send messages. The service notifies your people after a /fail, or when the calls stop.",
      "With an ntfy topic, a message waits at the server until 10 minutes after your grace"
        + " time. Each check-in postpones it, and so does a monitor that can notify your"
        + " responders; if nothing postpones it, the server sends it.",
      "Without an option, shows the current settings.",
    ],
    exitCodes: [.locked]
  ) { syntax in
    let heartbeat = syntax.option(
      "heartbeat", "URL", "The URL of a healthchecks-compatible service, or none")
    let topic = syntax.option(
      "ntfy", "TOPIC",
      "The name or URL of an ntfy topic, or none")
    return { arguments in
      StandbyCommand(
        heartbeat: try arguments.value(of: heartbeat), topic: try arguments.value(of: topic))
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let before = try await standbyClient.standby()
    guard heartbeat != nil || topic != nil else {
      let fault = try? await watchClient.status().standby?.fault
      return Report(lines(before), warnings: [fault].compactMap(\.self))
    }
    let standby = try Standby(
      validating: Self.typed(heartbeat) ?? before.heartbeat ?? "",
      topic: Self.typed(topic) ?? before.topic ?? "")
    try await invocation.passingGate {
      try await standbyClient.update(standby)
    }
    return Report(lines(standby))
  }

  /// Reads an option; `none` clears the setting.
  private static func typed(_ text: String?) -> String? { text == "none" ? "" : text }

  private func lines(_ standby: Standby) -> [String] {
    guard !standby.isNone else {
      return [
        "Nobody watches while \(accountHost.name) is off.",
        "Try lifesignal standby --heartbeat URL, or --ntfy TOPIC.",
      ]
    }
    return [
      standby.heartbeat.map { "Heartbeat: \($0)" }, standby.topic.map { "ntfy topic: \($0)" },
    ].compactMap(\.self)
  }
}
