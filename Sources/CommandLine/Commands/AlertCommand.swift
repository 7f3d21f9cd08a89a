import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials

/// `lifesignal alert`: raises and cancels an alert (ALT-1, ALT-2).
struct AlertCommand: StoreCommand {
  var action: Action
  /// Whether it was called by the name `sos`, whose user may not know the other ones.
  var isSOS = false
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.offlineClient) var offlineClient
  @Dependency(\.accountHost) var accountHost
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.transferClient) var transferClient
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock
  @Dependency(\.withRandomNumberGenerator) var random
  @Dependency(\.uuid) var uuid

  enum Action: Equatable, Sendable {
    case on(message: String)
    case off
    /// The word may be a mistyped `on` or `off`, so the command asks.
    case unclear(String?)
  }

  private enum Word: String, NamedValue { case on, off }

  static let declaration = CommandDeclaration(
    "alert", "Raise or cancel an alert",
    discussion: [
      "Notifies every responder on all of their channels, starting a monitor if none is running. Where a server"
        + " keeps the account, its own monitor sends the messages.",
      "Waits up to 10 seconds and reports who was sent a message. Exits with 1 if someone"
        + " could not be sent one yet; the monitor keeps trying. Where a server doesn't answer, it says within"
        + " about 15 seconds whether the alert can have arrived, and who to call. The alert is kept on this"
        + " computer and sent in the background as soon as the server answers.",
      "Everything after on is the message, with or without quotation marks, and so is a sentence without on."
        + " A single word that may mean another command, such as of or test, raises nothing and asks.",
      "If a passphrase gate is set, cancelling asks for the passphrase, or reads it from"
        + " standard input.",
      "LifeSignal doesn't call the emergency services.",
    ],
    exitCodes: [
      .locked,
      .init(
        code: .queued,
        help:
          "The store can't be written, or the server doesn't answer; the alert is saved in a file and"
          + " sent later"),
    ]
  ) { syntax in
    let word: Argument<Word> = syntax.choice(
      [
        .on: "Notify every responder now that you need help",
        .off: "Cancel the alert and notify every responder who was sent it",
      ], isRequired: false)
    _ = syntax.rest("TEXT", messageHelp)
    let message = syntax.option("message", "TEXT", "The same, as an option (with on)")
    return { arguments in
      let options = try arguments.all(message)
      switch CallForHelp.meaning(of: arguments.rest(from: word)) {
      case .raise(let words): return AlertCommand(words + options)
      case .unclear where options.isEmpty || !arguments.rest(from: word).isEmpty:
        return AlertCommand(.unclear(arguments.rest(from: word).first))
      case .unclear: return AlertCommand(options)
      case .cancel:
        guard options.isEmpty else {
          throw arguments.invalidValueError(
            message, "A message goes only with on.", advice: "Write lifesignal alert off.")
        }
        return AlertCommand(.off)
      }
    }
  }

  private static let messageHelp = "What happened and where you are, up to 500 characters (with on)"

  /// `lifesignal sos`: what somebody types who has no time.
  static let sos = CommandDeclaration(
    "sos", "Raise an alert, as alert on does",
    discussion: [
      "Notifies every responder now that you need help. SOS and help! do the same."
        + " lifesignal alert off cancels the alert."
    ],
    exitCodes: declaration.exitCodes.filter { $0.code == .queued }
  ) { syntax in
    let text = syntax.rest("TEXT", "What happened and where you are, up to 500 characters")
    let message = syntax.option("message", "TEXT", "The same, as an option")
    return { arguments in
      var command = AlertCommand(arguments.rest(from: text) + (try arguments.all(message)))
      command.isSOS = true
      return command
    }
  }

  init(_ action: Action) { self.action = action }

  /// Raises an alert with a message in several words.
  private init(_ words: [String]) {
    self.init(.on(message: words.map { $0.trimmingWhitespace() }.joined(separator: " ")))
  }

  /// An alert is kept in a file if the store can't be opened.
  var worksWithoutStore: Bool { action != .off }

  func run(_ invocation: Invocation) async throws -> Report {
    switch action {
    case .on(let message):
      var report = try await raise(message, invocation)
      if isSOS {
        report.lines.append("sos means lifesignal alert on. lifesignal alert off cancels it.")
      }
      return report
    case .off: return try await cancel(invocation)
    case .unclear(let word): return try await ask(about: word, invocation)
    }
  }

  /// Asks what a word means that may be a mistyped `on` or `off`. Where nobody can answer, says what
  /// to type.
  private func ask(about word: String?, _ invocation: Invocation) async throws -> Report {
    let sentence =
      word.map { "\(quoted($0)) is neither on nor off, so nothing was done." }
      ?? "Nothing was done: alert needs on or off."
    guard invocation.typesSecrets() else {
      throw UsageError(sentence: sentence, advice: CallForHelp.advice(for: word ?? ""))
    }
    invocation.say(sentence)
    _ = invocation.standardOutput.write(
      "Type on to raise an alert now, off to cancel one, or Enter for neither: ")
    while true {
      switch await invocation.nextLine() {
      case .nothing: continue
      case .line(let answer) where answer.trimmingWhitespace().lowercased() == "on":
        return try await raise("", invocation)
      case .line(let answer) where answer.trimmingWhitespace().lowercased() == "off":
        return try await cancel(invocation)
      case .line, .end:
        throw UsageError(
          sentence: "Nothing was done.", advice: CallForHelp.advice(for: word ?? ""))
      }
    }
  }

  private func raise(
    _ text: String, _ invocation: Invocation
  ) async throws -> Report {
    // An alert is never refused because of its message.
    let message = ProfileRules.shortenedAlertMessage(text)
    var hint: Task<Void, any Error>?
    if let server = accountHost.serverName {
      invocation.say("Sending your alert to \(server) …")
      hint = Task { try await sayWhoToCall(invocation) }
    }
    let id = uuid()
    // Read in parallel, so that the alert doesn't wait for them.
    async let readContacts = try? contactsClient.contacts()
    async let readUser = try? userClient.currentUser()
    let alert: Alert
    do throws(ClientError) {
      alert = try await send(id, message)
      hint?.cancel()
    } catch {
      hint?.cancel()
      // Use what was last known rather than wait for the server again.
      connectionClient.showLastKnown()
      let call = callText(
        await readContacts ?? connectionClient.lastContacts(),
        await readUser ?? connectionClient.lastUser())
      return try await queue(id, message, error, call, invocation)
    }
    var report = Report()
    if message.count < text.trimmingWhitespace().count {
      report.warnings.append("The message was cut to \(message.count) characters.")
    }
    if alert.id == id {
      invocation.say("The alert is on.")
    } else {
      invocation.say(
        "The alert is already on, since \(dateClient.describe(alert.raisedAt)).")
      // It is sent as a second one.
      if !message.isEmpty {
        report.lines.append("Your message goes to everyone who was notified.")
      }
    }
    if let server = try? await transferClient.movedTo() {
      report.warnings.append(
        "\(ClientError.accountMoved(to: server).errorDescription) This alert comes from the copy on this computer:"
          + " it goes to the responders that you had when it moved, and doesn't show on the server."
      )
    }
    // If this is only what was last known, there may be responders by now.
    if let contacts = await readContacts, connectionClient.shownAsOf() == nil,
      !contacts.contains(where: \.isResponder)
    {
      report.warnings.append(
        "Nobody is notified: you have no responders. Call for help yourself.")
      report.exitCode = .failure
      return report
    }
    try await reportMessages(of: alert, .alertOn, &report)
    return report
  }

  /// How long after the first attempt a retry can begin. A store or server usually recovers within
  /// seconds; each attempt can take ten, and the user must learn the result.
  private static let retryTime = TimeSpan.seconds(5)

  /// How long to wait for a server before telling the user what to do without it.
  static let adviceDelay = Duration.seconds(2)

  /// Names people to call while a server hangs: its timeout is longer than someone in danger can
  /// wait.
  private func sayWhoToCall(_ invocation: Invocation) async throws {
    try await clock.sleep(for: Self.adviceDelay)
    connectionClient.showLastKnown()
    let call = callText(connectionClient.lastContacts(), connectionClient.lastUser())
    try Task.checkCancellation()
    invocation.say("No answer yet. If you are in danger, don't wait. \(call)")
  }

  private var machineTime: Date { connectionClient.machineTime(dateClient.now()) }

  private func send(_ id: Alert.ID, _ message: String) async throws(ClientError) -> Alert {
    let start = machineTime
    var policy = RetryPolicy.aggressive
    policy.retryableErrors = { error in
      // A request that may have arrived was already repeated.
      let isOpen = (error as? ClientError)?.isOutcomeUnknown == true
      return error.isRetryable && !isOpen && machineTime < start + Self.retryTime
    }
    return try await withRetry(policy, clock: clock, random: random) {
      () async throws(ClientError) in
      switch try await alertClient.arm(id, message, .zero) {
      case .raised(let alert): return alert
      case .armed(let other):
        // Another program counts down: the one that the person means.
        let text = other.raised(at: other.firesAt).message(adding: message) ?? other.message
        guard case .raised(let alert) = try await alertClient.arm(other.id, text, .zero) else {
          throw .alertNotActive
        }
        return alert
      case .stopped: throw .alertNotActive
      }
    }
  }

  /// Says who to call if no message may have gone out, as far as that is known.
  private func callText(_ contacts: [Contact]?, _ user: User?) -> String {
    let number = EmergencyNumber.of(phone: user?.profile.phone)
    let people = (contacts ?? []).filter(\.isResponder)
      .compactMap { person in
        person.phone.map { "\(person.name) \(PhoneNumber.grouped($0))" }
      }
    return people.isEmpty
      ? "Call your responders, or the emergency services (\(number))."
      : "Call \(people.joinedAsList), or \(number)."
  }

  /// Saves the alert in a file that every monitor on this machine reads, because the store can't be
  /// written (ALT-7).
  private func queue(
    _ id: Alert.ID, _ message: String, _ error: ClientError, _ call: String,
    _ invocation: Invocation
  ) async throws -> Report {
    if let server = accountHost.serverName, let alert = offlineClient.outbox().alert {
      let news = alert.mayBeSent ? "saved and may or may not be sent yet" : "saved and NOT sent yet"
      return Report(
        warnings: [
          "The alert is \(news): \(error.text.description) \(call) It is sent in the background as soon"
            + " as \(server) answers; after a restart of this computer only when you use lifesignal"
            + " again."
        ], exitCode: .queued)
    }
    if error.isOutcomeUnknown, let server = accountHost.serverName {
      throw CommandFailure(
        "\(server) hasn't answered: your alert may or may not be sent.", advice: call)
    }
    guard case .storage(let reason) = error else {
      let advice = [call, invocation.text(of: error).recovery].compactMap(\.self).joined(
        separator: " ")
      throw CommandFailure(
        "The alert was NOT sent: \(error.text.description)", advice: advice)
    }
    do throws(ClientError) { _ = try await alertClient.spool(id, message, .zero) } catch _ {
      throw CommandFailure(
        "The alert was NOT sent: \(error.text.description)", advice: call)
    }
    do { try await startMonitor(invocation) } catch {
      return Report(
        warnings: [
          "The alert is saved, but NO monitor sends it: \(reason.text.description)"
            + " \(error.text.description) \(call)"
        ], exitCode: .queued)
    }
    guard !reason.isDamage else {
      return Report(
        warnings: [
          "The alert is saved: \(error.text.description) A monitor on this machine sends it to"
            + " everyone it still knows, and to all others when the store can be used again:"
            + " lifesignal restore. \(call)"
        ], exitCode: .queued)
    }
    return Report(
      warnings: [
        "The alert hasn't been sent yet: \(error.text.description) A monitor on this machine"
          + " will send it. Call your responders as well."
      ], exitCode: .queued)
  }

  /// Makes sure that a monitor runs, which reads the file.
  private func startMonitor(_ invocation: Invocation) async throws(StorageError) {
    guard accountHost == .thisMachine else { return try await watchClient.start() }
    let folders: Folders
    do { folders = try invocation.folders() } catch { throw .unknown(error.sentence) }
    let code = try await invocation.machine.startMonitor(folders)
    guard let code, code != 0 else { return }
    throw .unknown("the monitor ended with \(code), see \(folders.monitorLog)")
  }

  private func cancel(_ invocation: Invocation) async throws -> Report {
    if let report = try await stopWaiting() { return report }
    let alert: Alert
    do {
      alert = try await invocation.passingGate { try await alertClient.cancel() }
    } catch ClientError.alertNotActive {
      let user = try? await userClient.currentUser()
      throw CommandFailure(
        ClientError.alertNotActive.text.description,
        advice: user?.endingAdvice(at: dateClient.now()),
        exitCode: ClientError.alertNotActive.exitCode)
    } catch let error as ClientError {
      guard case .storage(.network) = error, accountHost.serverName != nil else { throw error }
      throw CommandFailure(
        error.isOutcomeUnknown
          ? "The alert may still be on: \(error.text.description)"
          : "The alert is still on, because cancelling needs the server: \(error.text.description)")
    }
    invocation.say("The alert is off.")
    var report = Report()
    try await reportMessages(of: alert, .alertOff, &report)
    return report
  }

  /// Stops the alerts that wait on this machine.
  /// - Returns: `nil` if none waits, or one was sent before.
  private func stopWaiting() async throws -> Report? {
    var report: Report?
    var (isOn, failure) = (false, nil as ClientError?)
    // All of them, whatever happens to one.
    for alert in offlineClient.outbox().alerts where !alert.isStopped {
      do throws(ClientError) {
        try await alertClient.disarm(alert.id)
        report = report ?? Report([ArmedAlert.stoppedText])
      } catch {
        switch error {
        case .alertAlreadyOn: isOn = true
        case .queued: report = Report(warnings: [ArmedAlert.maybeSentText], exitCode: .queued)
        default: failure = error
        }
      }
    }
    if let failure { throw failure }
    return isOn ? nil : report
  }

  /// Makes sure that a monitor sends the messages, and reports whether that worked.
  private func reportMessages(
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

extension User {
  /// What to do instead about a promise that is missed: its alert, on or yet to come, isn't one that *alert
  /// off* can cancel.
  fileprivate func endingAdvice(at now: Date) -> String? {
    if let outing, outing.until <= now {
      return "You were to be back by now. Say lifesignal back."
    }
    return deadline.date <= now ? "You are overdue: check in." : nil
  }
}
