import Clients
import Composable
import Domain
import FoundationEssentials
import Monitor
import Synchronization
import Testing

@testable import CommandLine

/// `lifesignal --plain`.
struct ConversationTests {
  let world = World()

  /// Runs a conversation and returns both sides of it without the opening lines.
  private func talk(_ lines: String...) async -> String {
    world[\.lines] = lines.map(LineEvent.line)
    let outcome = await world.run("--plain")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorOutput == "")
    return outcome.output
  }

  @Test("ONB-1: --plain creates an account by questions and explains each invalid answer")
  func onboarding() async throws {
    let said = await talk(
      "A@", "Ada Lovelace", "", "4 Mill Lane, Ely", "Penicillin allergy", "ada@", "ada@example.org",
      "banana", "36h",
      "Grace Hopper", "grace@example.org", "later", "quit")
    #expect(
      said == """
        LifeSignal in plain lines. Type help for the commands; Ctrl-D quits.
        There is no account here yet. Answer a few questions to create one. Enter skips an optional one.
        LifeSignal is no substitute for emergency services.
        Your name: A@
        A name can't contain “@”. Use letters, digits, spaces, emoji and - ' . , ( ) & / +
        Your name: Ada Lovelace
        Your phone with the country code, optional:\u{20}
        Your address, where help must go, optional: 4 Mill Lane, Ely
        What your responders should know in an emergency, optional: Penicillin allergy
        Your own e-mail for reminders, optional: ada@
        This isn't an e-mail address. Write it like name@example.org.
        Your own e-mail for reminders, optional: ada@example.org
        Check in every, or Enter for 24h: banana
        “banana” isn't a duration. Write it like 36h, 90m or 2d 12h.
        Check in every, or Enter for 24h: 36h
        Who should be notified if you don't check in? They get a message that they are your responder. Their name: Grace Hopper
        Their e-mail, or Enter for ntfy, a free app for phones without an account: grace@example.org
        Welcome, Ada Lovelace.
        Enter sends Grace Hopper a test message; later skips it: later
        Until a test arrives, you can't know that Grace Hopper gets your messages.
        Ada Lovelace: ok, 1d 12h left
        Deadline:       tomorrow 19:52
        Last check-in:  today 07:52, every 36h
        Responders:     Grace Hopper
        Watched by:     1 monitor, last seen 0s ago
        > quit

        """)
    let user = try await world.values.userClient.currentUser()
    #expect(user.profile.email == "ada@example.org")
    #expect(user.profile.address == "4 Mill Lane, Ely")
    #expect(user.profile.note == "Penicillin allergy")
    #expect(world[\.monitorsStarted] == 1)
  }

  @Test("ONB-4: --plain onboarding ends with a test message, by ntfy unless an e-mail is typed")
  func firstMessage() async throws {
    let said = await talk("Ada Lovelace", "", "", "", "", "", "Grace Hopper", "", "", "quit")
    let contacts = try await world.values.contactsClient.contacts()
    let topic = try #require(NtfyTopic(contacts[0].channels[0].address))
    #expect(topic.isGenerated)
    #expect(said.contains("Send this to Grace Hopper: \(topic.invitation)\n"))
    #expect(said.contains("a test message; later skips it: \nSent. Ask Grace Hopper whether"))
  }

  @Test(
    "ONB-4: --plain says a responder can't be notified yet if mail isn't set up or a test fails")
  func firstMessageNotSent() async throws {
    world[\.files] = [:]
    var said = await talk("Ada Lovelace", "", "", "", "", "", "Grace", "grace@example.org", "quit")
    #expect(
      said.contains("Mail isn't set up: Grace can't be notified yet. Run lifesignal mail setup.\n"))
    let other = Self()
    other.world[\.deliveryService] = DeliveryService { _ in .permanent(reason: "no such topic") }
    said = await other.talk("Ada Lovelace", "", "", "", "", "", "Grace", "", "", "quit")
    #expect(said.contains("Not sent: no such topic. Grace can't be notified yet.\n"), "\(said)")
  }

  @Test("Two dots cancel a --plain question and aren't taken as a contact's name")
  func dots() async {
    await world.openAccount()
    let said = await talk("add", "..", "quit")
    #expect(said.contains("Name: ..\nNothing was changed.\n"), "\(said)")
  }

  @Test("ONB-3: ending --plain during onboarding creates no account")
  func abandoned() async throws {
    #expect(await talk("Ada Lovelace", "", "").hasSuffix("\nNo account was created.\n"))
    #expect(try await world.values.authClient.currentUserID() == nil)
  }

  @Test("CHK-1: checking in with --plain moves the deadline and adds a history line")
  func checkIn() async {
    await world.openAccount()
    world.advance(by: .hours(3))
    let said = await talk("check in", "history")
    #expect(said.contains("> check in\nChecked in. The next deadline is tomorrow 10:52, in 1d."))
    #expect(said.contains("> history\ntoday 10:52, command line, 21h left\n"))
  }

  @Test(
    "ALT-1, ALT-2: --plain raises an alert only after the word alert, cancels only after cancel")
  func alert() async {
    await world.openAccount()
    let said = await talk(
      "!!!!!", "fell", "no", "alert", "fell", "alert", "cancel", "off", "cancel", "cancel")
    #expect(
      said.contains(
        """
        > !!!!!
        A message for your responders, or Enter for none: fell
        Type alert to raise it now: no
        No alert was raised.
        > alert
        A message for your responders, or Enter for none: fell
        Type alert to raise it now: alert
        The alert is on.
        Sent to Alan Turing and Grace Hopper.
        > cancel
        Type cancel to end your alert: off
        The alert is still on.
        > cancel
        Type cancel to end your alert: cancel
        The alert is off.
        Sent to Alan Turing and Grace Hopper: the alert is over.
        >\u{20}

        """))
  }

  @Test("ALT-2: quitting --plain leaves the alert on and says how to cancel it")
  func quitDuringAlert() async {
    await world.openAccount()
    let said = await talk("alert", "fell", "alert", "quit")
    #expect(
      said.hasSuffix("quit\nYour alert is still on. lifesignal alert off cancels it.\n"), "\(said)")
    #expect(await talk("cancel", "cancel", "quit").hasSuffix("> quit\n"))
  }

  @Test("ALT-3: if no message can be sent, --plain says who wasn't notified and why")
  func unsentAlert() async throws {
    await world.openAccount()
    try await world.watch(problem: "mail is not set up; run lifesignal mail setup")
    let said = await talk("alert", "", "alert")
    #expect(said.contains("Alan Turing and Grace Hopper have not been notified yet.\n"))
    #expect(
      said.contains(
        "mail is not set up; run lifesignal mail setup. Call those who weren't notified."))
  }

  @Test("CON-3, CON-4: --plain adds, changes, lists and removes contacts")
  func contacts() async throws {
    _ = await world.run("init --name Ada")
    let said = await talk(
      "add", "Mary", "friend", "both", "", "mary@example.org", "", "has a key", "contacts",
      "change mary", "Mary Somerville", "", "", "+44 20 7183 8750", "", "contacts", "remove M",
      "no", "remove Nobody", "remove", "Mary", "yes", "contacts")
    #expect(
      said.contains(
        """
        > add
        Name: Mary
        responder, dependent or both: friend
        Say responder, dependent or both, or r, d or b.
        responder, dependent or both: both
        """), "\(said)")
    #expect(said.contains("Mary, responder and dependent, mary@example.org\n"))
    #expect(said.contains("Name, now Mary: Mary Somerville\n"))
    #expect(
      said.contains(
        "Mary Somerville, responder and dependent, mary@example.org, +44 20 7183 8750\n"))
    #expect(said.contains("Type yes to remove Mary Somerville: no\nNothing was changed."))
    #expect(said.contains("There is no contact “Nobody”. Say contacts to list them."))
    #expect(said.contains("Mary Somerville is removed.\n> contacts\nThere are no contacts yet."))
  }

  @Test("ALT-1, ALT-2: --plain raises no second alert, and cancels none if no alert is on")
  func alertThatIsOn() async {
    await world.openAccount()
    let said = await talk("cancel", "alert", "fell", "alert", "alert", "!")
    #expect(said.contains("> cancel\nNo alert is on.\n"))
    #expect(
      said.contains(
        "> alert\nYour alert is already on, since today 07:52. Say cancel alert to end it.\n"))
    #expect(said.contains("> !\nYour alert is already on"))
  }

  @Test("The message of a --plain alert can be a command's name, such as help")
  func messageInACommandsWords() async throws {
    await world.openAccount()
    _ = await talk("alert", "help", "alert")
    #expect(try await world.values.alertClient.history(1)[0].alert.message == "help")
  }

  @Test("A command typed at a --plain question drops the question and runs")
  func commandAtAQuestion() async {
    await world.openAccount()
    let said = await talk(
      "remove Grace", "status", "add", "check in", "add", "st", "!!!", "now", "alert", "remove Al",
      "quit", "never")
    #expect(said.contains("remove Grace Hopper: status\nNothing was changed.\nAda Lovelace: ok"))
    #expect(said.contains("Name: check in\nNothing was changed.\nChecked in."))
    // Commands must be typed in full there, since a shortened one may be an answer.
    #expect(said.contains("Name: st\nresponder, dependent or both: !!!\nNothing was changed.\n"))
    #expect(said.contains("The alert is on."))
    #expect(
      said.hasSuffix(
        """
        to remove Alan Turing: quit
        Nothing was changed.
        Your alert is still on. lifesignal alert off cancels it.

        """), "\(said)")
  }

  @Test("With --plain, r, d, b and y are enough as answers; raising an alert needs the whole word")
  func abbreviations() async {
    await world.openAccount()
    let said = await talk(
      "add", "Mary", "d", "", "", "", "change Mary", "", "b", "m@example.org", "", "", "contacts",
      "remove Mary", "y", "alert", "", "a")
    #expect(said.contains("Mary, responder and dependent, m@example.org\n"))
    #expect(said.contains("Mary is removed.\n"))
    #expect(said.contains("raise it now: a\nNo alert was raised.\n"))
  }

  @Test(
    "ONB-1: during --plain onboarding, help explains the question and other commands are refused")
  func helpInOnboarding() async throws {
    let said = await talk("help", "status", "Ada", "quit")
    #expect(
      said.contains(
        """
        Your name: help
        This is a question: type your answer and Enter. A single dot cancels it.
        Your name: status
        You can say that when you have an account.
        Your name: Ada
        Your phone with the country code, optional: quit
        No account was created.

        """), "\(said)")
    #expect(try await world.values.authClient.currentUserID() == nil)
  }

  @Test("A --plain name that fits two contacts is asked for again; a dot cancels the question")
  func ambiguous() async {
    await world.openAccount()
    let said = await talk("remove ", "", "change A", ".", "add", ".")
    #expect(said.contains("That matches Alan Turing and Grace Hopper. Type more of the name."))
    #expect(said.contains("Name, now Alan Turing: .\nNothing was changed."))
    #expect(said.contains("> add\nName: .\nNothing was changed."))
  }

  @Test("INT-1: --plain shows the new deadline and asks before changing the interval")
  func interval() async throws {
    await world.openAccount()
    world.advance(by: .hours(10))
    let said = await talk("interval", "12h", "no", "interval", "8h", "yes")
    #expect(said.contains("Your next deadline will be today 19:52. This is not a check-in."))
    #expect(said.contains("Your deadline would already be past (today 15:52)"))
    #expect(said.contains("Type yes to change it: yes\nYou now check in every 8 hours."))
  }

  @Test("CHK-4: an idle --plain session announces due soon once, and the missed check-in once")
  func announcements() async {
    await world.openAccount()
    world[\.lines] =
      Array(repeating: .nothing, count: 30) + [.line("frobnicate"), .line("quit")]
    let outcome = await world.run("--plain")
    #expect(outcome.output.components(separatedBy: "due soon").count == 2)
    #expect(outcome.output.components(separatedBy: "no check-in").count == 2)
    #expect(outcome.output.contains("Unknown command “frobnicate”."))
  }

  @Test("--plain runs commands as typed in a shell (pause 2d), except with --as or --version")
  func spokenCommands() async throws {
    await world.openAccount()
    let said = await talk(
      "pause 2d", "resume", "contacts add \"Mary Somerville\" --email mary@example.org", "contacts",
      "ping Grace Hopper", "pause", "2d", "no", "documents list", "help ping", "contacts --frob",
      "drill --as bo@example.org", "export --version")
    #expect(said.contains("> pause 2d\nPaused"), "\(said)")
    #expect(said.contains("Mary Somerville, responder, mary@example.org\n"))
    #expect(said.contains("You have no dependent with an account called “Grace Hopper”."))
    #expect(said.contains("There are no documents.\n"))
    #expect(said.contains("Usage: lifesignal ping NAME [OPTION]…\n"))
    #expect(said.contains("lifesignal contacts has no option"), "\(said)")
    #expect(said.contains("as bo@example.org\nThat command doesn't work here. Quit, and start"))
    #expect(said.contains("export --version\nThat command doesn't work here."))
  }

  @Test("OUT-1, OUT-2, OUT-3, SCH-1: --plain knows outings and set times")
  func spokenOutings() async throws {
    await world.openAccount()
    let said = await talk(
      "schedule daily 09:00", "out 18:00 Ben Nevis, red tent --tell", "check in", "out +1h", "out",
      "status", "I’m back!", "back", "help out", "help", "interval 4h", "interval", "6h", "yes")
    #expect(said.contains("daily 09:00"), "\(said)")
    #expect(said.contains("Out until today 18:00, in 10h 8m – Ben Nevis, red tent\n"), "\(said)")
    #expect(said.contains("You are still out until today 18:00. lifesignal back ends that.\n"))
    #expect(said.contains("> out\nOut until today 19:00"), "\(said)")
    #expect(said.contains("Out until:      today 19:00, 11h 8m left – Ben Nevis, red tent\n"))
    #expect(said.contains("Welcome back. Your outing until today 19:00 is over.\n"))
    #expect(said.contains("You weren't out.\n"))
    #expect(said.contains("Usage: lifesignal out [END]"))
    #expect(said.contains("You now check in every 4 hours. The deadline is"), "\(said)")
    #expect(said.contains("Your next deadline will be today 13:52."), "\(said)")
    #expect(said.contains("back, channels") && said.contains("out, pause, ping, schedule, signs"))
  }

  // MARK: Unreachable server

  private static let unreachable = ClientError.storage(
    .network(.serverUnreachable("family.example")))

  /// Moves the account to a server that doesn't answer while `isAway` returns `true`. Its last
  /// answer was yesterday evening.
  private func join(while isAway: @escaping @Sendable () -> Bool) async throws {
    let user = try await world.values.userClient.currentUser()
    let isShown = Mutex(false)
    world[\.overrides] = { values in
      @Sendable func requireServer() throws(ClientError) {
        if isAway() { throw Self.unreachable }
      }
      values.accountHost = .server(name: "family.example")
      values.connectionClient = ConnectionClient {
        $0.state = {
          isAway() ? .offline(since: World.start, asOf: World.start - .hours(14)) : .connected
        }
        $0.showLastKnown = { isShown.withLock { $0 = true } }
        // Once cached data is shown, it stays, even after the server is back.
        $0.shownAsOf = { isShown.withLock { $0 } ? World.start - .hours(14) : nil }
        $0.lastUser = { isShown.withLock { $0 } && isAway() ? user : nil }
      }
      let (auth, checkIn, alert) = (values.authClient, values.checkInClient, values.alertClient)
      let (watch, notification) = (values.watchClient, values.notificationClient)
      values.authClient.state = { () async throws(ClientError) in
        try requireServer()
        return try await auth.state()
      }
      values.checkInClient.checkIn = { (source) async throws(ClientError) in
        try requireServer()
        return try await checkIn.checkIn(source)
      }
      values.alertClient.arm = { (_, message, _) async throws(ClientError) in
        if isAway() { throw .storage(.network(.unanswered)) }
        return .raised(try await alert.raise(message))
      }
      values.watchClient.start = { () async throws(StorageError) in }
      values.watchClient.status = { () async throws(StorageError) in
        #expect(!isAway(), "each question takes seconds")
        return try await watch.status()
      }
      values.notificationClient.notifications = { (limit, filter) async throws(ClientError) in
        #expect(!isAway(), "each question takes seconds")
        return try await notification.notifications(limit, filter)
      }
    }
  }

  @Test(
    "If the server can't be reached, --plain shows the last known data and how old it is"
  )
  func away() async throws {
    await world.openAccount()
    // The last known data has this alert, which has ended elsewhere since.
    _ = try await world.values.alertClient.raise("fell")
    try await join { true }
    let said = await talk(
      "check in", "alert", "fell again", "alert", "cancel", "contacts", "history", "status")
    let age = "The server family.example can't be reached. As of yesterday 17:52:\n"
    #expect(
      said.hasPrefix(
        "LifeSignal in plain lines. Type help for the commands; Ctrl-D quits.\n\(age)Ada Lovelace: "
      ))
    #expect(said.contains("\nWatched by:     not known\n> check in\nYou are NOT checked in: "))
    #expect(
      said.contains(
        """
        Type alert to raise it now: alert
        Sending your alert to family.example …
        family.example hasn't answered: your alert may or may not be sent. Call your responders, or \
        the emergency services (112).
        > cancel
        """), "\(said)")
    #expect(!said.contains("NOT sent") && !said.contains("No alert is on"))
    #expect(
      said.contains("> contacts\n\(age)Alan Turing") && said.contains("> history\n\(age)today"))
    #expect(said.components(separatedBy: age).count == 5)
  }

  @Test(
    "An idle --plain session says once that the server went away, once that it answers again"
  )
  func awayInBetween() async throws {
    await world.openAccount()
    try await join { [world] in
      (2...3).contains(Int(world[\.now].timeIntervalSince(World.start)) / 3_600)
    }
    _ = try await world.values.notificationClient.addLocal(.pingReceived, "Bo", "")
    world[\.lines] = Array(repeating: .nothing, count: 6) + [.line("quit")]
    let said = await world.run("--plain").output
    #expect(
      said.contains(
        """
        The server family.example hasn't been reachable since today 07:52. What you heard before may be out of date.

        The server answers again.
        Ada Lovelace: ok, 19h 59m left
        """), "\(said)")
    #expect(said.components(separatedBy: "hasn't been reachable").count == 2)
    #expect(said.components(separatedBy: "answers again").count == 2)
    #expect(said.components(separatedBy: "1 unread.").count == 3)
  }

  @Test("CHK-4: --plain announces due soon while the server is away, with the age of the data")
  func nearWhileAway() async throws {
    await world.openAccount()
    try await join { [world] in world[\.now] > World.start }
    world[\.lines] = Array(repeating: .nothing, count: 26) + [.line("quit")]
    let said = await world.run("--plain").output
    #expect(
      said.contains(
        "The server family.example can't be reached. As of Fri 17:52:\nAda Lovelace: due soon"),
      "\(said)")
  }

  @Test(
    "A --plain session observes its server again after a temporary error",
    .timeLimit(.minutes(1)))
  func listening() async throws {
    await world.openAccount()
    let (opens, opened) = AsyncStream.makeStream(of: Void.self)
    let isFirst = Mutex(true)
    world[\.overrides] = { values in
      values.accountHost = .server(name: "family.example")
      let user = values.userClient
      values.userClient.observeCurrentUser = {
        opened.yield()
        let fails = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        guard fails else { return user.observeCurrentUser() }
        return AsyncThrowingStream { $0.finish(throwing: ClientError.storage(.busy)) }
      }
      values.checkInClient.history = { (_: Int) async throws(ClientError) in
        var openings = opens.makeAsyncIterator()
        for _ in 0..<2 { await openings.next() }
        return []
      }
    }
    #expect(await talk("history", "quit").hasSuffix("> history\n> quit\n"))
  }

  @Test("AUTH-2: a --plain session whose user is signed out elsewhere says so once")
  func signedOut() async throws {
    await world.openAccount()
    world[\.overrides] = { [world] values in
      let user = values.userClient
      values.userClient.currentUser = { () async throws(ClientError) in
        if world[\.now] > World.start { throw .sessionExpired }
        return try await user.currentUser()
      }
    }
    world[\.lines] = [.nothing, .nothing, .line("quit")]
    let said = await world.run("--plain").output
    #expect(said.components(separatedBy: "You have been signed out").count == 2, "\(said)")
  }

  @Test("Every command that --plain accepts is a command of the program")
  func spokenNames() {
    let names = CommandDeclaration.all.map(\.name)
    #expect(TypedCommand.names.filter { !names.contains($0) } == [])
  }

  @Test(
    arguments: [
      ("ping  Grace", ["ping", "Grace"]), ("a \"b c\" d", ["a", "b c", "d"]),
      ("a \"\"", ["a", ""]), ("say “Ada L”!", ["say", "Ada L!"]), ("\"open end", ["open end"]),
      ("  ", []),
    ] as [(String, [String])])
  func words(line: String, words: [String]) {
    #expect(TypedCommand.words(of: line) == words)
  }

  @Test("NOT-1: --plain announces each new notification once, but not the user's own actions")
  func newNotifications() async throws {
    await world.openAccount()
    try await withDependencies {
      $0 = world.values
    } operation: {
      let client = world.values.notificationClient
      let notifications = PlainNotifications()
      #expect(await notifications.unreadCountLine() == nil)
      _ = try await client.addLocal(.pingReceived, "Bo", "")
      _ = try await client.addLocal(.dependentAlert, "Cem", "fell")
      _ = try await client.addLocal(.pingSent, "Dilek", "")
      #expect(
        await notifications.newLines() == ["Bo asks you to check in.", "Cem needs help: fell."])
      #expect(await notifications.newLines() == [])
      #expect(
        await notifications.unreadCountLine() == "3 unread. Say notifications to hear them.")
    }
  }

  @Test("NOT-1: typing notifications in --plain lists the unread notifications and marks them read")
  func notifications() async throws {
    await world.openAccount()
    let client = world.values.notificationClient
    _ = try await client.addLocal(.pingReceived, "Bo", "")
    world[\.lines] = [.nothing, .line("notifications"), .line("notifications"), .line("quit")]
    let outcome = await world.run("--plain")
    #expect(
      outcome.output.contains("1 unread. Say notifications to hear it.\n"), "\(outcome.output)")
    #expect(outcome.output.contains("> notifications\ntoday 07:52, Bo asks you to check in.\n"))
    #expect(outcome.output.contains("> notifications\nNothing is unread.\n"))
    #expect(try await client.unreadCount() == 0)
  }

  @Test(
    arguments: [
      ("c", .checkIn), ("check-in", .checkIn), ("ca", .cancel), ("x", nil), ("co", .contacts),
      ("ch", .checkIn), ("cha", .change), ("HELP", .help), ("!", .alert), ("r", .remove),
      ("quit now", nil),
    ] as [(String, ConversationInput.Verb?)])
  func sentences(words: String, verb: ConversationInput.Verb?) {
    #expect(ConversationInput(words)?.verb == verb)
  }

  @Test func names_keepTheirCase() {
    #expect(ConversationInput("remove  Grace Hopper")?.object == "Grace Hopper")
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }
}
