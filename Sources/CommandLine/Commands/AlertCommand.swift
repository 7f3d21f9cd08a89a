import Clients
import Composable
import Domain

/// `lifesignal alert`: raises and cancels an alert (ALT-1, ALT-2).
struct AlertCommand: StoreCommand {
  var action: Action
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.dateClient) var dateClient

  enum Action: Equatable, Sendable {
    case on(message: String)
    case off
  }

  private enum Word: String, CaseIterable, Sendable { case on, off }

  private static let word = Argument(
    ArgumentDeclaration(
      placeholder: "on|off", help: "What to do",
      choices: [
        .init(name: "on", help: "Tell every responder at once that you need help"),
        .init(name: "off", help: "Cancel the alert, and tell every responder who had been told"),
      ]),
    read: byName(Word.self))
  static let message = Option(
    OptionDeclaration(
      name: "message", placeholder: "TEXT",
      help: "What happened and where you are, up to 500 characters; with on"),
    read: byRule(ProfileRules.alertMessage))

  static let declaration = CommandDeclaration(
    name: "alert", summary: "Raise or cancel an alert",
    discussion: [
      "Where no monitor is running, one is started, because an alert that nobody sends helps nobody.",
      "LifeSignal does not call the emergency services.",
    ],
    arguments: [word.declaration], options: [message.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in try AlertCommand(arguments) })

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let word = try arguments.required(Self.word)
    let message = try arguments.value(of: Self.message)
    switch word {
    case .on: action = .on(message: message ?? "")
    case .off:
      guard message == nil else {
        throw .invalid(
          Self.message.declaration.spelling,
          InvalidValue("This goes only with on.", advice: "Write lifesignal alert off."),
          of: arguments.invocation)
      }
      action = .off
    }
  }

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    switch action {
    case .on(let message): try await raise(message)
    case .off: try await cancel()
    }
  }

  private func raise(_ message: String) async throws(CommandFailure) -> Report {
    let earlier = try? await alertClient.history(StatusReport.alertLimit)
      .first(where: \.alert.isActiveByHand)?.alert
    let alert = try await attempt { () async throws(AlertError) in
      try await alertClient.raise(message)
    }
    let time = dateClient.calendar.describe(alert.raisedAt, now: dateClient.now())
    var report = Report()
    if alert.id == earlier?.id {
      report.lines.append("The alert is on already, since \(time).")
      if !message.isEmpty, message != alert.message {
        report.warnings.append("Its message was not changed. Cancel it first to send another.")
      }
    } else {
      report.lines.append("The alert is on since \(time).")
    }
    await nameResponders(in: &report)
    try await ensureMonitor("The alert is on", &report)
    return report
  }

  private func cancel() async throws(CommandFailure) -> Report {
    let alert = try await attempt { () async throws(AlertError) in try await alertClient.cancel() }
    let time = dateClient.calendar.describe(
      alert.resolvedAt ?? dateClient.now(), now: dateClient.now())
    var report = Report([
      "The alert is off since \(time). Every responder who had been told is told so."
    ])
    try await ensureMonitor("The alert is off", &report)
    return report
  }

  /// Says who will be told; the alert is on whether or not that can be read.
  private func nameResponders(in report: inout Report) async {
    guard let contacts = try? await contactsClient.contacts() else { return }
    let names = contacts.filter { $0.roles.contains(.responder) }.map(\.name)
    if names.isEmpty {
      report.warnings.append(
        "Nobody is told: there are no responders. Start lifesignal to add one.")
    } else {
      report.lines.append("\(names.joinedAsList) \(names.count == 1 ? "is" : "are") told at once.")
    }
  }

  /// The rows are written; somebody has to send what they ask for.
  private func ensureMonitor(
    _ state: String, _ report: inout Report
  ) async throws(CommandFailure) {
    let watch = await WatchReport(watchClient)
    if watch.isWatched {
      report.warnings += watch.warnings
      return
    }
    do {
      try await watchClient.start()
      report.lines.append("No monitor was running; one has been started to send the messages.")
    } catch {
      throw CommandFailure(
        "\(state), but nobody sends the messages: \(error.errorDescription)",
        advice: "Start lifesignal monitor, and call your responders.")
    }
  }
}
