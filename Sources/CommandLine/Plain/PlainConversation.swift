import Clients
import Composable
import Domain

/// The conversation of `lifesignal --plain`: signs the user in, says their status, and answers what
/// they type, line by line. It uses the same commands and clients as the rest of the program.
struct PlainConversation: Sendable {
  let invocation: Invocation
  @Dependency(\.authClient) var authClient
  @Dependency(\.userClient) var userClient
  @Dependency(\.contactsClient) var contactsClient
  @Dependency(\.checkInClient) var checkInClient
  @Dependency(\.alertClient) var alertClient
  @Dependency(\.watchClient) var watchClient
  @Dependency(\.connectionClient) var connectionClient
  @Dependency(\.accountHost) var accountHost
  @Dependency(\.dateClient) var dateClient
  @Dependency(\.continuousClock) var clock

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws {
    let announcer = StatusAnnouncer(invocation)
    let dialog = PlainDialog(invocation: invocation) { await announcer.announceChange() }
    dialog.say("LifeSignal in plain lines. Type help for the commands; Ctrl-D quits.")
    connectionClient.showLastKnown()
    do {
      try await converse(dialog, announcer)
    } catch is PlainDialog.Interruption {
      // Input has ended. Unfinished questions leave nothing behind.
      guard !connectionClient.state().isAway else { return }
      if (try? await authClient.state()) == .newcomer { dialog.say("No account was created.") }
    }
  }

  private func converse(_ dialog: PlainDialog, _ announcer: StatusAnnouncer) async throws {
    var state: AuthState?
    do { state = try await authClient.state() } catch {
      // If the server is away, go on with its last answer and say how old it is.
      state = connectionClient.lastUser().map { .signedIn($0.id) }
      if state == nil {
        dialog.say(CommandFailure(error))
        dialog.say("You can still call for help: say alert.")
        announcer.noteFailure()
      }
    }
    if let state { try await greet(state, dialog, announcer) }
    let listening = listen()
    defer { listening?.cancel() }
    while true {
      let words = try await dialog.line(">")
      guard !words.isEmpty else { continue }
      guard let sentence = ConversationInput(words) else {
        await carryOut(words, dialog)
        continue
      }
      var next: ConversationInput? = sentence
      while let sentence = next {
        if sentence.verb == .quit { return await sayWhatGoesOn(dialog) }
        next = await answer(sentence, dialog, announcer)
      }
    }
  }

  /// Says that an alert stays on after the conversation.
  private func sayWhatGoesOn(_ dialog: PlainDialog) async {
    let alerts = try? await alertClient.history(StatusReport.alertLimit)
    if alerts?.raisedByHand != nil {
      dialog.say("Your alert is still on. lifesignal alert off cancels it.")
    }
  }

  /// Keeps checking whether the server answers, even while nothing is asked; `nil` on a machine
  /// without one.
  private func listen() -> Task<Void, Never>? {
    guard accountHost.serverName != nil else { return nil }
    return Task { [userClient, clock] in
      repeat {
        do { for try await _ in userClient.observeCurrentUser() {} } catch {
          // The next request says that the session has ended; other errors may pass.
          if (error as? ClientError)?.endsSession == true { return }
        }
        try? await clock.sleep(for: .seconds(5))
      } while !Task.isCancelled
    }
  }

  /// Makes sure that someone is signed in and watched, and says their status.
  private func greet(
    _ state: AuthState, _ dialog: PlainDialog, _ announcer: StatusAnnouncer
  ) async throws {
    switch state {
    case .signedIn: break
    case .newcomer where authClient.requestedAddress() == nil:
      try await PlainOnboarding(dialog).run()
    case .newcomer, .signedOut: try await PlainSignIn(dialog).run()
    }
    do throws(StorageError) { try await watchClient.start() } catch {
      dialog.say("No monitor can be started: \(error.text.sentence)")
    }
    // A monitor that was just started takes a moment to register.
    for _ in 0..<20 {
      guard !connectionClient.state().isAway, await !Situation.Watch(watchClient).isRunning else {
        break
      }
      try? await clock.sleep(for: .milliseconds(100))
    }
    await announcer.announce()
  }

  /// Runs the program's command with these words, if there is one.
  private func carryOut(_ words: String, _ dialog: PlainDialog) async {
    do {
      switch try TypedCommand(words) {
      case .run(let command):
        let report = try await command.run(invocation)
        let age = connectionClient.ageLinesWhileAway(dateClient)
        dialog.say(age.filter { !report.warnings.contains($0) })
        dialog.say(report)
      case .help(let lines): dialog.say(lines)
      case nil: dialog.say("Unknown command \(quoted(words)). Type help for the commands.")
      }
    } catch { dialog.say(CommandFailure(error)) }
  }

  /// Does what the user said. A cancelled question changes nothing.
  /// - Returns: What the user said instead of an answer.
  private func answer(
    _ sentence: ConversationInput, _ dialog: PlainDialog, _ announcer: StatusAnnouncer
  ) async -> ConversationInput? {
    do {
      switch sentence.verb {
      case .checkIn: dialog.say(try await CheckInCommand().run(invocation))
      case .status: await announcer.announce()
      case .alert: try await raiseAlert(dialog)
      case .cancel: try await cancelAlert(dialog)
      case .contacts: dialog.say(aged(try await contactLines()))
      case .add: try await PlainContacts(dialog, invocation).add()
      case .change: try await PlainContacts(dialog, invocation).change(sentence.object)
      case .remove: try await PlainContacts(dialog, invocation).remove(sentence.object)
      case .interval: try await changeInterval(dialog)
      case .history: dialog.say(aged(try await historyLines()))
      case .notifications: dialog.say(try await PlainNotifications().unreadLines())
      case .pause: try await pause(dialog)
      case .resume: dialog.say(try await ResumeCommand().run(invocation))
      case .help: dialog.say(ConversationInput.Verb.helpLines)
      case .quit: break
      }
    } catch PlainDialog.Interruption.stopped {
      dialog.say(Self.textOfStopping(sentence.verb))
    } catch PlainDialog.Interruption.said(let other) {
      dialog.say(Self.textOfStopping(sentence.verb))
      return other
    } catch PlainDialog.Interruption.ended {
      // The next question will meet the end of input again.
    } catch { dialog.say(CommandFailure(error)) }
    return nil
  }

  private static func textOfStopping(_ verb: ConversationInput.Verb) -> String {
    switch verb {
    case .alert: "No alert was raised."
    case .cancel: "The alert is still on."
    default: "Nothing was changed."
    }
  }

  /// Returns the lines, preceded by their age if the server is away.
  private func aged(_ lines: [String]) -> [String] {
    connectionClient.ageLinesWhileAway(dateClient) + lines
  }

  // MARK: Alerts

  /// Raises an alert in words: a message, and a confirmation that must be typed (ALT-1).
  private func raiseAlert(_ dialog: PlainDialog) async throws {
    // An alert can be raised even if nothing can be read; don't wait for the server if it is known
    // to be away.
    if !connectionClient.state().isAway, let alert = try? await alertThatIsOn() {
      let since = dateClient.describe(alert.raisedAt)
      return dialog.say("Your alert is already on, since \(since). Say cancel alert to end it.")
    }
    let message = try await dialog.askForWords(
      "A message for your responders, or Enter for none:", read: ProfileRules.alertMessage)
    guard try await dialog.confirm("Type alert to raise it now:", word: "alert") else {
      return dialog.say("No alert was raised.")
    }
    dialog.say(try await AlertCommand(.on(message: message)).run(invocation))
  }

  private func cancelAlert(_ dialog: PlainDialog) async throws {
    guard try await alertThatIsOn() != nil else { return dialog.say("No alert is on.") }
    try await dialog.require("Type cancel to end your alert:", word: "cancel")
    dialog.say(try await AlertCommand(.off).run(invocation))
  }

  /// Returns the user's active alert; `nil` if none is on, so that there is nothing to confirm.
  private func alertThatIsOn() async throws -> Alert? {
    try await alertClient.currentHistory(StatusReport.alertLimit).raisedByHand?.alert
  }

  // MARK: Contacts, interval, history

  private func contactLines() async throws -> [String] {
    let contacts = try await contactsClient.contacts()
    guard !contacts.isEmpty else { return ["There are no contacts yet. Say add to add one."] }
    return contacts.map { contact in
      ([contact.name, contact.roles.names.joined(separator: " and ")]
        + (contact.declinedAt == nil ? contact.channels.map(\.spelling) : ["declined"])
        + [contact.phone.map(PhoneNumber.grouped)].compactMap { $0 }).joined(separator: ", ")
    }
  }

  private func changeInterval(_ dialog: PlainDialog) async throws {
    let user = try await userClient.currentUser()
    let promise = try await dialog.ask(
      "Check in how often, for example 24h, 2d 12h or daily 09:00:"
    ) {
      try Promise(
        parsing: $0, zone: user.schedule?.times.zone ?? dateClient.calendar.zoneName,
        opening: user.schedule?.times.opening ?? SetTimes.standardOpening)
    }
    let now = dateClient.now()
    let changing = try user.changing(to: promise, at: now)
    let deadline = changing.deadline
    let when = dateClient.describe(deadline.date)
    dialog.say(
      deadline.date > now
        ? "Your next deadline will be \(when). This is not a check-in."
        : "Your deadline would already be past (\(when)); your responders would be notified soon.")
    if let schedule = changing.schedule {
      dialog.say(
        "The deadlines after it are \(schedule.upcoming(3).dropFirst().map(dateClient.describe).joinedAsList);"
          + " now your deadline is \(dateClient.describe(user.deadline.date)).")
      dialog.say(
        "The longest time you can be silent will be"
          + " \(changing.longestSilence(from: now).shortDescription).")
    }
    try await dialog.require("Type yes to change it:", word: "yes")
    let changed = try await invocation.passingGate { try await checkInClient.update(promise) }
    dialog.say("You now check in \(changed.promiseInWords).")
  }

  private func pause(_ dialog: PlainDialog) async throws {
    let now = dateClient.now()
    let end = try await dialog.ask("Pause for how long, or until when, for example 2d:") {
      try Pause.end(parsing: $0, now: now, calendar: dateClient.calendar)
    }
    dialog.say(
      "Until \(dateClient.describe(end)) nobody would be notified of a missed check-in.")
    try await dialog.require("Type yes to pause:", word: "yes")
    dialog.say(try await PauseCommand(end: .date(end)).run(invocation))
  }

  private func historyLines() async throws -> [String] {
    let history = try await checkInClient.history(10)
    return history.map {
      "\(dateClient.describe($0.date)), \($0.source.displayText), \($0.marginText)"
    }
  }
}
