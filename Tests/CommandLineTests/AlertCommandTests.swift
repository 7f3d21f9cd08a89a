import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Monitor
import Synchronization
import TestSupport
import Testing

@testable import CommandLine

/// `lifesignal alert`: ALT-1, ALT-2, ALT-3.
struct AlertCommandTests {
  let world = World()

  @Test func on_startsAMonitorWhereNoneIs_andSaysWhoWasTold() async {
    await world.openAccount()
    await world.expect(
      "alert on",
      .init(
        0,
        """
        The alert is on.
        Sent to Alan Turing and Grace Hopper.

        """))
    #expect(world[\.monitorsStarted] == 1)
  }

  @Test func on_leavesTheMonitorThatIs() async throws {
    await world.openAccount()
    try await world.watch()
    #expect(
      await world.run("alert on").output
        == """
        The alert is on.
        Sent to Alan Turing and Grace Hopper.

        """)
    #expect(world[\.monitorsStarted] == 0)
  }

  @Test func on_failsWhenNobodyCanSend() async {
    await world.openAccount()
    world[\.monitorFailure] = .unknown("no such program")
    await world.expect(
      "alert on",
      .init(
        1, "The alert is on.\n",
        error: "lifesignal: Nobody can be notified: The store failed: no such program. "
          + "Start lifesignal monitor, and call your responders.\n"))
    #expect(await world.run("status").exitCode == 30)
  }

  @Test(
    "ALT-7: if the store can't be written, alert on saves the alert in a file and exits with 75")
  func on_isQueued() async throws {
    await world.openAccount()
    for (spools, code) in [(true, Int32(75)), (false, 1)] {
      world[\.overrides] = { values in
        values.uuid = .incrementing
        values.alertClient.arm = { (_, _, _) async throws(ClientError) in
          throw .storage(.permissionDenied("read-only"))
        }
        values.alertClient.spool = { (id, message, delay) async throws(ClientError) in
          guard spools else { throw .storage(.full) }
          #expect(message == "fell")
          #expect(delay == .zero)
          return ArmedAlert(id: id, message: message, armedAt: World.start, firesAt: World.start)
        }
      }
      let outcome = await world.run("alert on --message fell")
      #expect(outcome.exitCode == code)
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errorOutput.contains(
          spools ? "The alert hasn't been sent yet" : "The alert was NOT sent"))
    }
  }

  @Test(
    "ALT-7: if the store can't be opened, alert on saves the alert in a file and exits with 75",
    arguments: [StorageError.permissionDenied("read-only"), .corrupt(detail: "x"), .full])
  func on_isQueuedWithoutStore(error: StorageError) async {
    world[\.storeFailure] = error
    let queued = await world.run("alert on --message fell")
    #expect(queued.exitCode == 75)
    let isDamaged = error == .corrupt(detail: "x")
    #expect(
      queued.errorOutput.contains(
        isDamaged
          ? "when the store can be used again: lifesignal restore."
          : "The alert hasn't been sent yet"))
    #expect(queued.errorOutput.contains("A monitor on this machine will send it") != isDamaged)
    world[\.spoolFailure] = .full
    let lost = await world.run("alert on")
    #expect(lost.exitCode == 1)
    #expect(lost.errorOutput.contains("The alert was NOT sent"))
    #expect(lost.errorOutput.contains("Call your responders, or the emergency services (112)."))
    // Commands that aren't calls for help exit as before.
    #expect(await world.run("alert off").exitCode == 1)
    #expect(
      await world.run("check-in").errorOutput.hasPrefix("lifesignal: You are NOT checked in: "))
  }

  @Test("ALT-7: status shows an alert that waits in a file as on, unless another alert is active")
  func status_showsAWaitingAlert() async throws {
    await world.openAccount()
    let id = try await world.values.alertClient.spool(UUID(), "fell", .zero).id
    let status = await world.run("status")
    #expect(status.exitCode == 30)
    #expect(status.output.contains("\nAlert:          on since"), "\(status.output)")
    #expect(status.output.contains("– fell"))
    #expect(await world.run("status --json").output.contains(#""status":"alert""#), "\(id)")
    // An active alert takes precedence over one that waits in a file.
    _ = await world.run(["alert", "on", "--message", "first"])
    _ = try await world.values.alertClient.spool(UUID(), "second", .zero)
    let raised = await world.run("status").output
    #expect(raised.contains("first") && !raised.contains("second"), "\(raised)")
  }

  @Test(
    "ALT-3: if the server doesn't answer, alert on tries once and says the outcome is unknown",
    arguments: [ClientError.storage(.network(.unanswered)), .storage(.unknownOutcome)])
  func on_withoutAnswer(error: ClientError) async {
    await world.openAccount()
    _ = await world.run([
      "contacts", "add", "Mum", "--email", "mum@example.org", "--phone", "+44 20 7183 8750",
    ])
    let tries = Mutex(0)
    world[\.overrides] = { [world] values in
      values.accountHost = .server(name: "family.example")
      values.alertClient.arm = { (_, _, _) async throws(ClientError) in
        #expect(world[\.output] == "Sending your alert to family.example …\n")
        tries.withLock { $0 += 1 }
        throw error
      }
    }
    await world.expect(
      "alert on",
      .init(
        1, "Sending your alert to family.example …\n",
        error: "lifesignal: family.example hasn't answered: your alert may or may not be sent."
          + " Call Mum +44 20 7183 8750, or 112.\n"))
    #expect(tries.withLock { $0 } == 1)
  }

  @Test(
    "ALT-3: if the server doesn't answer, alert on names who to call from the last known contacts")
  func on_awayWithLastKnown() async throws {
    await world.openAccount()
    let mum = try await world.values.contactsClient.add(
      ContactDraft(
        name: "Mum", phone: "+44 20 7183 8750", email: "mum@example.org", roles: .responder))
    let user = try await world.values.userClient.currentUser()
    let isTried = Mutex(false)
    let isShown = Mutex(false)
    world[\.overrides] = { values in
      values.accountHost = .server(name: "family.example")
      values.connectionClient.showLastKnown = {
        #expect(isTried.withLock { $0 }, "after the alert has been tried")
        isShown.withLock { $0 = true }
      }
      values.connectionClient.lastContacts = { isShown.withLock { $0 } ? [mum] : nil }
      values.connectionClient.lastUser = { isShown.withLock { $0 } ? user : nil }
      values.contactsClient.contacts = { () async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
      values.userClient.currentUser = { () async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
      values.alertClient.arm = { (_, _, _) async throws(ClientError) in
        isTried.withLock { $0 = true }
        throw .storage(.network(.unanswered))
      }
    }
    await world.expect(
      "alert on",
      .init(
        1, "Sending your alert to family.example …\n",
        error: "lifesignal: family.example hasn't answered: your alert may or may not be sent."
          + " Call Mum +44 20 7183 8750, or 112.\n"))
  }

  @Test("ALT-3: alert on retries a failed connection for a few seconds, then says NOT sent")
  func on_withoutServer() async {
    await world.openAccount()
    let tries = Mutex(0)
    world[\.overrides] = { [world] values in
      values.uuid = .incrementing
      values.withRandomNumberGenerator = WithRandomNumberGenerator(SplitMix64(seed: 1))
      values.accountHost = .server(name: "family.example")
      values.alertClient.arm = { (_, _, _) async throws(ClientError) in
        tries.withLock { $0 += 1 }
        // A connection attempt that times out.
        world.advance(by: .seconds(3))
        throw .storage(.network(.connectionFailed))
      }
      values.alertClient.spool = { (_, _, _) async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
    }
    let outcome = await world.run("alert on")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.contains("The alert was NOT sent: Can't connect to the service. Call"))
    #expect(tries.withLock { $0 } == 2)
  }

  @Test(
    "AUTH-2: alert on without a valid session says NOT sent, who to call and how to sign in",
    arguments: [ClientError.sessionExpired, .notAuthenticated])
  func on_signedOut(error: ClientError) async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.alertClient.arm = { (_, _, _) async throws(ClientError) in throw error }
      values.contactsClient.contacts = { () async throws(ClientError) in throw error }
      values.userClient.currentUser = { () async throws(ClientError) in throw error }
    }
    let outcome = await world.run("alert on")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.errorOutput.contains(
        "The alert was NOT sent: \(error.text.description) Call your responders, or the emergency"
          + " services (112). Sign in"))
  }

  @Test(
    "ALT-3: if the server stops answering after the alert is on, alert on says so and ends")
  func on_lostAfterwards() async {
    await world.openAccount()
    world[\.overrides] = { values in
      values.accountHost = .server(name: "family.example")
      values.alertClient.history = { (_: Int) async throws(ClientError) in
        throw .storage(.network(.connectionFailed))
      }
    }
    await world.expect(
      "alert on",
      .init(
        1, "Sending your alert to family.example …\nThe alert is on.\n",
        error: "lifesignal: The server no longer answers, so it isn't known who has been notified."
          + " Call those who weren't notified.\n"))
  }

  @Test(
    "ALT-3: if the server hangs, alert on says who to call before any answer comes"
  )
  func on_hangs() async {
    await world.openAccount()
    let clock = TestClock()
    let isAsked = AsyncStream.makeStream(of: Void.self)
    let answer = AsyncStream.makeStream(of: Void.self)
    world[\.overrides] = { values in
      values.accountHost = .server(name: "family.example")
      values.continuousClock = clock
      values.connectionClient.lastUser = {
        User(
          id: UUID(7), profile: Profile(name: "Ada", phone: "+447700900123"),
          lastCheckIn: World.start,
          createdAt: World.start)
      }
      values.alertClient.arm = { (_, _, _) async throws(ClientError) in
        isAsked.continuation.yield()
        for await _ in answer.stream { break }
        throw .storage(.network(.unanswered))
      }
    }
    async let outcome = world.run("alert on")
    for await _ in isAsked.stream { break }
    #expect(world[\.output] == "Sending your alert to family.example …\n")
    let said = "No answer yet. If you are in danger, don't wait. Call your responders, or the"
    while !world[\.output].contains(said) { await clock.advance(by: .seconds(1)) }
    #expect(world[\.output].contains(said + " emergency services (999 or 112)."))
    answer.continuation.yield()
    #expect(await outcome.errorOutput.contains("may or may not be sent"))
  }

  @Test func on_failsWhereMailIsNotSetUp() async throws {
    await world.openAccount()
    try await world.watch(problem: "mail is not set up; run lifesignal mail setup")
    await world.expect(
      "alert on",
      .init(
        1, "The alert is on.\n",
        error: """
          lifesignal: Alan Turing and Grace Hopper have not been notified yet.
          lifesignal: The monitor can't send mail: mail is not set up; run lifesignal mail setup. \
          Call those who weren't notified.

          """))
  }

  @Test func on_namesWhoWasNotTold_andWhy() async throws {
    await world.openAccount()
    world[\.deliveryService] = DeliveryService { delivery in
      delivery.recipientName == "Grace Hopper"
        ? .sent
        : .retry(reason: "the mail server asked us to try again later: 450 busy", after: nil)
    }
    await world.expect(
      "alert on",
      .init(
        1,
        """
        The alert is on.
        Sent to Grace Hopper.

        """,
        error: """
          lifesignal: Alan Turing has not been notified: the mail server asked us to try again later: 450 busy.
          lifesignal: The monitor keeps trying; lifesignal status shows the result. Call those who weren't notified.

          """))
    #expect(world[\.monitorsStarted] == 1, "A monitor that tries is no dead one.")
  }

  @Test("ALT-3: two responders with the same name are both listed as not notified")
  func on_namesNamesakes() async {
    await world.openAccount()
    for number in 1...2 { _ = await world.run("contacts add Mum --email mum\(number)@example.org") }
    world[\.deliveryService] = DeliveryService { _ in .retry(reason: "450 later", after: nil) }
    #expect(
      await world.run("alert on").errorOutput.contains(
        "Alan Turing, Grace Hopper, Mum and Mum have not been notified: 450 later.\n"))
  }

  @Test("ALT-3: alert on waits for a retried message and reports it as sent")
  func on_waitsForAnotherAttempt() async throws {
    await world.openAccount()
    let attempts = Mutex(0)
    world[\.deliveryService] = DeliveryService { delivery in
      guard delivery.recipientName == "Alan Turing" else { return .sent }
      let count = attempts.withLock {
        $0 += 1
        return $0
      }
      return count < 3 ? .retry(reason: "connection refused", after: nil) : .sent
    }
    await world.expect(
      "alert on",
      .init(
        0,
        """
        The alert is on.
        Sent to Alan Turing and Grace Hopper.

        """))
  }

  @Test func on_waitsTenSecondsForAMonitorThatDoesNotShowUp() async throws {
    await world.openAccount()
    world[\.everyMonitorStartsDead] = true
    await world.expect(
      "alert on",
      .init(
        1, "The alert is on.\n",
        error: """
          lifesignal: Nobody has been notified yet.
          lifesignal: The monitor didn't start: see monitor.log, or run lifesignal monitor. \
          Call those who weren't notified.

          """))
    #expect(abs(world[\.now].timeIntervalSince(World.start) - 10) < 0.01)
  }

  @Test func on_startsAnotherMonitorWhereTheOneThatSeemsAliveDoesNothing() async throws {
    await world.openAccount()
    world[\.monitorStartsDead] = true
    #expect(
      await world.run("alert on").output
        == """
        The alert is on.
        Sent to Alan Turing and Grace Hopper.

        """)
    #expect(abs(world[\.now].timeIntervalSince(World.start) - 3) < 0.11)
    #expect(world[\.monitorsStarted] == 2)
  }

  @Test func on_cutsAMessageThatIsTooLong() async throws {
    await world.openAccount()
    let outcome = await world.run([
      "alert", "on", "--message", String(repeating: "x", count: 501),
    ])
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorOutput == "lifesignal: The message was cut to 500 characters.\n")
    let alert = try await world.values.alertClient.history(1)[0].alert
    #expect(alert.message == String(repeating: "x", count: 500))
  }

  @Test func status_saysWhoHasBeenTold() async throws {
    await world.openAccount()
    world[\.deliveryService] = DeliveryService { delivery in
      delivery.recipientName == "Grace Hopper" ? .sent : .permanent(reason: "550 no such user")
    }
    _ = await world.run("alert on")
    let output = await world.run("status").output
    #expect(output.contains("Sent to:        Grace Hopper (07:52)\n"))
    #expect(output.contains("Not sent to:    Alan Turing: 550 no such user\n"))
  }

  @Test("ALT-7: alert on --message during an alert sends the text to everyone who was notified")
  func on_twice_addsTheMessage() async throws {
    await world.openAccount()
    try await world.watch()
    _ = await world.run(["alert", "on", "--message", "Fell"])
    world.advance(by: .minutes(1))
    await world.expect(
      ["alert", "on", "--message", "Still lying here"],
      .init(
        0,
        """
        The alert is already on, since today 07:52.
        Your message goes to everyone who was notified.
        Sent to Alan Turing and Grace Hopper.

        """))
    try await world.letMonitorWork()
    let notes = try await world.values.alertClient.history(1)[0].deliveries.filter {
      if case .alertNote = $0.stage { $0.state == .sent } else { false }
    }
    #expect(notes.map(\.recipient).sorted() == ["Alan Turing", "Grace Hopper"])
  }

  @Test(
    "A message given to alert on 5 s after the alert was raised is still sent")
  func on_twiceInAMoment() async throws {
    await world.openAccount()
    try await world.watch()
    _ = await world.run("alert on")
    world.advance(by: .seconds(5))
    let outcome = await world.run(["alert", "on", "--message", "At the bridge"])
    #expect(outcome.output.contains("Your message goes to everyone who was notified."))
  }

  @Test func on_withoutResponders_fails() async throws {
    _ = await world.run("init --name Ada")
    try await world.watch()
    await world.expect(
      "alert on",
      .init(
        1, "The alert is on.\n",
        error: "lifesignal: Nobody is notified: you have no responders. Call for help yourself.\n"))
  }

  @Test func off_tellsThoseWhoWereTold() async {
    await world.openAccount()
    _ = await world.run("alert on")
    world.advance(by: .minutes(5))
    await world.expect(
      "alert off",
      .init(
        0,
        """
        The alert is off.
        Sent to Alan Turing and Grace Hopper: the alert is over.

        """))
  }

  @Test("ALT-2: if another program cancels the alert, alert on says that the alert was cancelled")
  func on_cancelledMeanwhile() async throws {
    await world.openAccount()
    world[\.overrides] = { values in
      let client = values.alertClient
      values.alertClient.history = { (limit: Int) async throws(ClientError) in
        var reports = try await client.history(limit)
        for index in reports.indices {
          reports[index].alert.resolvedAt = reports[index].alert.raisedAt + 1
        }
        return reports
      }
    }
    await world.expect(
      "alert on",
      .init(0, "The alert is on.\nIt was cancelled in the meantime.\n"))
  }

  @Test func off_whereNobodyHadBeenTold_saysSo() async throws {
    await world.openAccount()
    try await world.watch(problem: "mail is not set up; run lifesignal mail setup")
    _ = await world.run("alert on")
    await world.expect(
      "alert off",
      .init(0, "The alert is off.\nNobody had been notified of it.\n"))
  }

  @Test func off_failsWhereTheyCannotBeToldSo() async throws {
    await world.openAccount()
    _ = await world.run("alert on")
    world[\.deliveryService] = DeliveryService { _ in
      .permanent(reason: "the mail server refused (550 no)")
    }
    await world.expect(
      "alert off",
      .init(
        1, "The alert is off.\n",
        error: """
          lifesignal: Alan Turing and Grace Hopper have not been notified that it is over: \
          the mail server refused (550 no).
          lifesignal: The monitor keeps trying; lifesignal status shows the result. Call them yourself.

          """))
  }

  @Test func off_whereTheStoreCannotBeRead_doesNotSayThatNobodyKnew() async throws {
    await world.openAccount()
    _ = await world.run("alert on")
    world[\.overrides] = { values in
      values.alertClient.history = { (_: Int) async throws(ClientError) in throw .storage(.busy) }
    }
    let outcome = await world.run("alert off")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output == "The alert is off.\n")
    #expect(outcome.errorOutput.contains("Nobody has been notified that it is over yet."))
  }

  @Test func off_withoutAlert_fails() async {
    await world.openAccount()
    await world.expect("alert off", .init(1, error: "lifesignal: There is no active alert.\n"))
    #expect(world[\.monitorsStarted] == 0)
  }

  @Test(
    arguments: [
      (
        ["alert", "off", "--message", "x"],
        "--message: A message goes only with on. Write lifesignal alert off."
      )
    ])
  func wrongWords_areRefused(arguments: [String], message: String) async {
    await world.expect(arguments, .init(2, error: "lifesignal: \(message)\n"))
  }

  @Test(
    "ALT-1: alert, sos and help! raise an alert despite typos; the other words are its message",
    arguments: [
      (["alert", "on", "I fell"], "I fell"), (["alert", "on", "I", "fell"], "I fell"),
      (["alert", "I fell"], "I fell"), (["alert", "I", "fell", "down"], "I fell down"),
      (["alert", "fell"], "fell"), (["alert", "ON"], ""), (["Alert", "On", "x"], "x"),
      (["alert", "onn"], ""), (["alert", "om"], ""), (["alert", "no"], ""), (["alert", "o"], ""),
      (["alert", "in", "the kitchen"], "in the kitchen"), (["alrt", "on", "fell"], "fell"),
      (["alert", "off the path, broken leg"], "off the path, broken leg"),
      (["alert", "on", "--mesage", "I fell"], "I fell"), (["alert", "on", "-m", "fell"], "fell"),
      (["alert", "on", "--message"], ""), (["alert", "--message", "fell"], "fell"),
      (["alert", "on", "--message", "a", "--message", "b"], "a b"),
      (["alert", "on", "fell", "--message=leg"], "fell leg"),
      (["alert", "on", "--", "--help"], "--help"),
      (["sos"], ""), (["SOS", "I fell"], "I fell"), (["sos!", "I", "fell"], "I fell"),
      (["help!"], ""), (["help!!", "I fell"], "I fell"), (["sos", "off"], "off"),
    ])
  func raisingNeverFails(arguments: [String], message: String) async throws {
    await world.openAccount()
    let outcome = await world.run(arguments)
    #expect(outcome.exitCode == 0, "\(outcome)")
    let alert = try await world.values.alertClient.history(1).first?.alert
    #expect(alert?.isActive == true && alert?.message == message, "\(outcome)")
    guard arguments[0].lowercased() != "alert", arguments[0] != "alrt" else { return }
    #expect(outcome.output.contains("sos means lifesignal alert on. lifesignal alert off cancels"))
  }

  @Test(
    "ALT-1: without a terminal, alert with an unclear word (stop, ok) only prints what to type",
    arguments: [
      "of", "off!", "OFF.", "stop", "stp", "cancel", "cancle", "end", "ends", "status", "list",
      "test", "tst", "drill", "dril", "help", "halp", "ok", "safe", "?",
    ])
  func unclearWord(word: String) async throws {
    await world.openAccount()
    let outcome = await world.run(["alert", word])
    #expect(outcome.exitCode == 2 && outcome.output.isEmpty)
    #expect(
      outcome.errorOutput.contains("“\(word)” is neither on nor off, so nothing was done."))
    #expect(
      outcome.errorOutput.contains(
        "To raise an alert, type lifesignal alert on; to cancel it, lifesignal alert off."))
    #expect(!outcome.errorOutput.contains("Did you mean"))
    #expect(try await world.values.alertClient.history(1).isEmpty)
  }

  @Test(
    "ALT-1: lifesignal alert without a word, or alert off with a word too many, raises no alert")
  func unclearWords() async throws {
    await world.openAccount()
    for arguments in [
      ["alert"], ["alert", ""], ["alert", "off", "please"], ["alert", "off", "-x"],
    ] {
      let outcome = await world.run(arguments)
      #expect(
        arguments.last == "-x" || outcome.exitCode == 2, "\(arguments): \(outcome)")
      #expect(try await world.values.alertClient.history(1).isEmpty, "\(arguments)")
    }
  }

  @Test(
    "ALT-1: at a terminal, alert with an unclear word asks; only the answer on raises an alert",
    arguments: [("on", Int32(0)), ("off", 1), ("", 2), ("of", 2)])
  func unclearWordIsAsked(answer: String, code: Int32) async throws {
    await world.openAccount()
    world[\.typesSecrets] = true
    world[\.lines] = [.line(answer)]
    let outcome = await world.run(["alert", "of"])
    #expect(outcome.exitCode == code, "\(outcome)")
    #expect(outcome.output.contains("Type on to raise an alert now, off to cancel one"))
    #expect(try await world.values.alertClient.history(1).isEmpty == (answer != "on"))
  }

  @Test(
    "ALT-1: emergency, 911 or mayday as a command says how to raise an alert, and raises none",
    arguments: [["emergency"], ["Alarm"], ["911"], ["help", "me"], ["mayday", "I fell"]])
  func callsForHelp(arguments: [String]) async throws {
    await world.openAccount()
    let outcome = await world.run(arguments)
    #expect(outcome.exitCode == 2)
    #expect(
      outcome.errorOutput.contains("To call for help now, type lifesignal "), "\(outcome)")
    #expect(try await world.values.alertClient.history(1).isEmpty)
  }
}
