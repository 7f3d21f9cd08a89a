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
  @Dependency(\.continuousClock) var clock
  @Dependency(\.withRandomNumberGenerator) var random
  @Dependency(\.uuid) var uuid

  enum Action: Equatable, Sendable {
    case on(message: String)
    case off
  }

  private enum Word: String, NamedValue { case on, off }

  static let declaration = CommandDeclaration(
    "alert", "Raise or cancel an alert",
    discussion: [
      "Notifies every responder on all of their channels, starting a monitor if none is running.",
      "Waits up to 10 seconds and reports who was sent a message. Exits with 1 if someone"
        + " could not be sent one yet; the monitor keeps trying.",
      "If a passphrase gate is set, cancelling asks for the passphrase, or reads it from"
        + " standard input.",
      "LifeSignal doesn't call the emergency services.",
    ],
    exitCodes: [
      .locked,
      .init(
        code: .queued,
        help: "The store can't be written; the alert is saved in a file, and a monitor sends it"),
    ]
  ) { words in
    let word: Argument<Word> = words.choice([
      .on: "Notify every responder now that you need help",
      .off: "Cancel the alert and notify every responder who was sent it",
    ])
    let message = words.option(
      "message", "TEXT", "What happened and where you are, up to 500 characters (with on)")
    return { arguments in
      let word = try arguments.required(word)
      let text = try arguments.value(of: message)
      if word == .on { return AlertCommand(.on(message: text ?? "")) }
      guard text == nil else {
        throw arguments.invalid(
          message, "This goes only with on.", advice: "Write lifesignal alert off.")
      }
      return AlertCommand(.off)
    }
  }

  init(_ action: Action) { self.action = action }

  /// A call for help is kept beside a store that can't be opened.
  var worksWithoutStore: Bool { if case .on = action { true } else { false } }

  func run(_ invocation: Invocation) async throws -> Report {
    switch action {
    case .on(let message): try await raise(message, invocation)
    case .off: try await cancel(invocation)
    }
  }

  private func raise(
    _ text: String, _ invocation: Invocation
  ) async throws -> Report {
    // A call for help is not refused for its form.
    let message = ProfileRules.shortenedAlertMessage(text)
    let earlier = try? await alertClient.history(StatusReport.alertLimit)
      .first(where: \.alert.isActiveByHand)?.alert
    let alert: Alert
    do throws(ClientError) {
      alert = try await withRetry(.aggressive, clock: clock, random: random) {
        () async throws(ClientError) in
        try await alertClient.raise(message)
      }
    } catch {
      return try await queue(message, error)
    }
    let time = dateClient.describe(alert.raisedAt)
    var report = Report()
    if message.count < text.trimmingWhitespace().count {
      report.warnings.append("The message was cut to \(message.count) characters.")
    }
    if alert.id == earlier?.id {
      invocation.say("The alert is already on, since \(time).")
      if !message.isEmpty, message != alert.message {
        report.warnings.append(
          "Its message wasn't changed. Cancel the alert first to send another.")
      }
    } else {
      invocation.say("The alert is on since \(time).")
    }
    let contacts = try? await contactsClient.contacts()
    if let contacts, !contacts.contains(where: { $0.isActive && $0.roles.contains(.responder) }) {
      report.warnings.append(
        "Nobody is notified: you have no responders. Call for help yourself.")
      report.exitCode = .failure
      return report
    }
    try await tell(of: alert, .alertOn, &report)
    return report
  }

  /// Leaves the alert in a file that every monitor of this machine reads, since the store can't be
  /// written (ALT-7).
  private func queue(_ message: String, _ error: ClientError) async throws -> Report {
    guard case .storage = error else { throw CommandFailure(error) }
    do throws(ClientError) { _ = try await alertClient.spool(uuid(), message, .zero) } catch _ {
      throw CommandFailure(
        "The alert was NOT sent: \(error.text.description)",
        advice: "Call your responders, or the emergency services.")
    }
    try? await watchClient.start()
    return Report(
      warnings: [
        "The alert hasn't been sent yet: \(error.text.description) A monitor on this machine"
          + " will send it. Call your responders as well."
      ], exitCode: .queued)
  }

  private func cancel(_ invocation: Invocation) async throws -> Report {
    let alert = try await invocation.passingGate { passphrase in
      try await alertClient.cancel(passphrase)
    }
    let end = alert.resolvedAt ?? dateClient.now()
    invocation.say("The alert is off since \(dateClient.describe(end)).")
    var report = Report()
    try await tell(of: alert, .alertOff, &report)
    return report
  }

  /// The rows are written; somebody has to send what they ask for, and the person has to know
  /// whether that worked.
  private func tell(
    of alert: Alert, _ stage: Stage, _ report: inout Report
  ) async throws {
    do throws(StorageError) { try await watchClient.start() } catch {
      throw CommandFailure(
        "Nobody can be notified: \(error.errorDescription)",
        advice: "Start lifesignal monitor, and call your responders.")
    }
    let outcome = await AlertDelivery(alert: alert.id, stage: stage).outcome()
    report.lines += outcome.lines
    report.warnings += outcome.warnings
    if !outcome.warnings.isEmpty { report.exitCode = .failure }
  }
}
