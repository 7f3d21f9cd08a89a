import Clients
import Composable
import ComposableFoundation
import Domain
import FoundationEssentials
import Monitor
import Testing

@testable import CommandLine

/// `lifesignal status`: ORD-2, WCH-1, and the exit codes of the command line.
struct StatusCommandTests {
  let world = World()

  @Test func json_hasEveryMemberInItsOrder() async {
    await world.openAccount()
    world.advance(by: .minutes(90))
    await world.expect(
      "status --json",
      .init(
        0,
        #"{"name":"Ada Lovelace","status":"ok","last_check_in":"2026-11-21T07:52:00Z","#
          + #""deadline":"2026-11-22T07:52:00Z","seconds_left":81000,"paused_until":null,"responders":2,"#
          + #""alert":null,"problem":"no monitor is running","as_of":null,"offline_since":null,"#
          + #""queued":{"check_ins":0,"since":null,"alert":null,"refused":0},"schedule":null,"outing":null}"#
          + "\n"))
  }

  @Test("If only mail can't be sent, status --json still reports a problem")
  func json_partialProblem() async throws {
    await world.openAccount()
    #expect(
      await world.run(["contacts", "add", "Bob", "--ntfy", "bob-7Qm2xK4vT9pLw3Zr"]).exitCode == 0)
    try await world.watch(problem: "mail is not set up")
    let output = await world.run("status --json").output
    #expect(
      output.contains(#""problem":"The monitor can't send mail: mail is not set up.""#), "\(output)"
    )
  }

  @Test("If mail isn't set up and the other messages fail, status reports both")
  func nobodyWouldBeNotified() async throws {
    await world.openAccount()
    #expect(
      await world.run(["contacts", "add", "Bob", "--ntfy", "bob-7Qm2xK4vT9pLw3Zr"]).exitCode == 0)
    try await world.watch(problem: "mail is not set up")
    world[\.deliveryService] = DeliveryService(
      readiness: { .init(kinds: [.ntfy], problems: [.email: "mail is not set up"]) },
      deliver: { _ in .retry(reason: "no route", after: nil) })
    try await world.letMonitorWork()
    #expect(
      await world.run("status --json").output.contains(
        #""problem":"the last messages couldn't be sent""#))
    let status = await world.run("status").errorOutput
    #expect(status.contains("Nobody would be notified: the last messages couldn't be sent."))
    #expect(status.contains("The monitor can't send mail: mail is not set up."))
  }

  @Test(
    arguments: [
      (0, "ok", Int32(0)), (19 * 3_600, "ok", 0), (24 * 3_600 - 1, "due_soon", 10),
      (24 * 3_600, "overdue", 20), (24 * 3_600 + 15 * 60, "non_responsive", 20),
    ])
  func statusAndExitCode_followTheClock(seconds: Int, status: String, code: Int32) async {
    await world.openAccount()
    world.advance(by: .seconds(seconds))
    let outcome = await world.run("status --json")
    #expect(outcome.exitCode == code)
    #expect(outcome.output.contains(#""status":"\#(status)""#))
    #expect(outcome.output.contains(#""seconds_left":\#(86_400 - seconds),"#))
  }

  @Test(
    "ORD-4: status shows the time left or overdue in the two largest units",
    arguments: [
      (0, "ok, 1d left"), (1, "ok, 23h 59m left"), (23 * 3_600, "due soon, 1h left"),
      (86_399, "due soon, less than 1m left"), (86_400, "overdue for less than 1m"),
      (86_400 + 600, "overdue for 10m"),
    ])
  func duration(seconds: Int, standing: String) async {
    await world.openAccount()
    world.advance(by: .seconds(seconds))
    #expect(await world.run("status").output.hasPrefix("Ada Lovelace: \(standing)\n"))
  }

  @Test(
    "CON-7: a dependent's alert is the first line of status and leaves the exit code at 0",
    arguments: [
      (Alert.Kind.manual, "needs help since today 07:52 – fell (Bo is responding)"),
      (
        .duress,
        "needs help since today 07:52, raised silently: don't call or write to them"
          + " – fell (Bo is responding)"
      ),
      (.missed, "hasn't checked in: alert since today 07:52 – fell (Bo is responding)"),
    ])
  func dependentInAlert(kind: Alert.Kind, text: String) async {
    await world.openAccount()
    func show(_ alert: Alert?) {
      let status = DependentStatus(
        interval: .standard, lastCheckIn: World.start, grace: .minutes(15), alert: alert)
      let ida = Contact(
        id: UUID(70), name: "Ida", roles: .dependent, addedAt: World.start,
        link: AccountLink(user: UUID(71), state: .active, dependentStatus: status))
      world[\.overrides] = { values in
        values.contactsClient.contacts = { () async throws(ClientError) in [ida] }
      }
    }
    var alert = Alert(id: UUID(72), kind: kind, message: "fell", raisedAt: World.start)
    alert.acknowledgements = [Acknowledgement(responder: UUID(73), name: "Bo", date: World.start)]
    show(alert)
    let outcome = await world.run("status")
    #expect(
      outcome.output.hasPrefix("ALERT:          Ida \(text)\nAda Lovelace: ok"), "\(outcome)")
    #expect(outcome.exitCode == 0, "it is about the person's own deadline")
    for other in [nil, Alert(id: UUID(72), kind: .drill, message: "", raisedAt: World.start)] {
      show(other)
      #expect(await world.run("status").output.hasPrefix("Ada Lovelace: ok"))
    }
  }

  @Test("In a narrow terminal, the lines of status break between words")
  func narrowTerminal() async {
    await world.openAccount()
    world[\.columns] = 40
    let status = await world.run("status")
    #expect(
      status.output.contains(
        "Watched by:     nobody. Start one with\nlifesignal monitor.\n"), "\(status.output)")
    let long = String(repeating: "x", count: 50)
    #expect("a \(long) b c".brokenBetweenWords(10) == "a\n\(long)\nb c")
    #expect("  a  b".brokenBetweenWords(10) == "  a  b")
  }

  @Test("Two responders with the same name are shown with their addresses")
  func namesakes() async {
    await world.openAccount()
    let added = await world.run(["contacts", "add", "grace hopper", "--email", "grace@gmailcom"])
    #expect(
      added.errorOutput
        == "lifesignal: You now have two contacts called Grace Hopper. Give one of them another name in"
        + " the app.\nlifesignal: “gmailcom” has no dot. Is grace@gmailcom right?\n")
    _ = await world.run(["contacts", "add", "Alan Turing", "--ntfy", "alan"])
    #expect(
      await world.run("status").output.contains(
        "Alan Turing (alan@example.org), Alan Turing (alan)"))
  }

  @Test("With sendmail configured, status prints no warning about mail")
  func sendmail_isMail() async {
    await world.openAccount()
    world[\.files][World.configuration] = .success(Array("{sendmail: '/bin/mail'}".utf8))
    #expect(await world.run("status").errorOutput.isEmpty)
  }

  @Test("Without a monitor, status says that sendmail isn't run if others can change the settings")
  func exposedCommand() async throws {
    await world.openAccount()
    world[\.files][World.configuration] = .success(Array("{sendmail: '/bin/mail'}".utf8))
    world[\.exposure] = ConfigurationExposure(path: World.configuration, fault: .open)
    #expect(
      await world.run("status").errorOutput
        == "lifesignal: Others can change /home/ada/.config/lifesignal/config.json5, so sendmail"
        + " is not run. Run chmod go-w /home/ada/.config/lifesignal/config.json5.\n")
    try await world.watch()
    #expect(await world.run("status").errorOutput.isEmpty)
    try await world.watch(problem: "others can change config.json5")
    #expect(
      await world.run("status").errorOutput
        == "lifesignal: The monitor can't send mail: others can change config.json5.\n")
  }

  @Test func activeManualAlert_standsAboveTheDeadline() async {
    await world.openAccount()
    _ = await world.run("alert on")
    let outcome = await world.run("status --json")
    #expect(outcome.exitCode == 30)
    #expect(outcome.output.contains(#""status":"alert""#))
  }

  @Test("ORD-2, CHK-6: after a longer interval, status shows the new deadline and the missed one")
  func longerIntervalAfterAMissedDeadline() async throws {
    await world.openAccount()
    try await world.watch()
    try await world.advanceWatched(by: .minutes(24 * 60 + 16))
    try await world.letMonitorWork()
    #expect(await world.run("status").output.hasPrefix("Ada Lovelace: no check-in, overdue"))
    _ = try await world.values.checkInClient.updateInterval(CheckInInterval(.days(3)))
    let outcome = await world.run("status")
    #expect(outcome.exitCode == 20)
    #expect(
      outcome.output.hasPrefix(
        """
        Ada Lovelace: ok, 1d 23h left
        Missed:         the deadline before this one, today 08:08. Check in to end it.
        Sent to:        Alan Turing (08:08) and Grace Hopper (08:08)

        """), "\(outcome.output)")
    _ = await world.run("check-in")
    #expect(await world.run("status").exitCode == 0)
  }

  @Test("ALT-9: status shows since when an alert is on, who was notified and who is responding")
  func alert() async throws {
    await world.openAccount()
    _ = await world.run("alert on --message fell")
    let outcome = await world.run("status --json")
    #expect(outcome.exitCode == 30)
    let member = #""alert":{"kind":"manual","since":"2026-11-21T07:52:00Z","message":"fell","#
    #expect(outcome.output.contains(member), "\(outcome.output)")
    #expect(
      outcome.output.contains(
        #"{"name":"Grace Hopper","channel":"email","state":"sent","at":"2026-11-21T07:52:00Z","#
          + #""error":null,"may_have_been_sent":false,"waiting_for":null,"waiting_since":null}"#),
      "\(outcome.output)")
    #expect(outcome.output.contains(#""responding":[]},"#))
    #expect(
      await world.run("status").output.contains(
        "Sent to:        Alan Turing (07:52) and Grace Hopper (07:52)\n"))
  }

  @Test(
    "CHN-2, ALT-9: status --json names the server a message waits for, or may_have_been_sent"
  )
  func waiting() async throws {
    await world.openAccount()
    let now = world[\.now]
    var waiting = DeliveryReport(
      id: UUID(), stage: .alertOn, recipientID: .contact(UUID()), recipient: "Alan Turing",
      channel: .email, address: "alan@example.org", state: .pending, date: now + 60)
    (waiting.begunAt, waiting.server) = (now - 40, "mail.example.org")
    var ambiguous = waiting
    ambiguous.begunAt = nil
    ambiguous.error = "no answer"
    ambiguous.mayHaveBeenSent = true
    let alert = Alert(id: UUID(), kind: .manual, message: "", raisedAt: now - 50)
    let report = StatusReport(
      user: try await world.values.userClient.currentUser(),
      AccountFacts(
        contacts: [], alerts: [AlertReport(alert: alert, deliveries: [waiting])], now: now))
    let json = report.json().text
    #expect(
      json.contains(
        #""error":null,"may_have_been_sent":false,"waiting_for":"mail.example.org","#
          + #""waiting_since":"2026-11-21T07:51:20Z"}"#), "\(json)")
    var second = report
    second.facts.alerts = [AlertReport(alert: alert, deliveries: [ambiguous])]
    let other = second.json().text
    #expect(
      other.contains(
        #""error":"no answer","may_have_been_sent":true,"waiting_for":null,"waiting_since":null}"#),
      "\(other)")
  }

  @Test("ALT-9: status lists each channel of a responder with its own result")
  func severalChannels() async {
    await world.openAccount()
    _ = await world.run("channels add ntfy:topic-of-alan --contact Alan")
    world[\.deliveryService] = DeliveryService { delivery in
      delivery.channel == .ntfy ? .retry(reason: "450 later", after: nil) : .sent
    }
    _ = await world.run("alert on")
    let output = await world.run("status").output
    #expect(output.contains("Sent to:        Alan Turing by e-mail (07:52) and Grace"), "\(output)")
    #expect(output.contains("Not sent to:    Alan Turing by ntfy: 450 later\n"), "\(output)")
  }

  @Test("ALT-6, ALT-9: status shows a drill as a drill, not as an alert, and exits with 0")
  func drill() async {
    await world.openAccount()
    world[\.deliveryService] = DeliveryService { _ in .retry(reason: "450 later", after: nil) }
    _ = await world.run("drill")
    let outcome = await world.run("status")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        "Drill:          on since today 07:52\nNot sent to:    Alan Turing: 450 later\n"),
      "\(outcome.output)")
    #expect(await world.run("status --json").output.contains(#""alert":null"#))
  }

  @Test func cancelledAlert_leavesTheDeadline() async {
    await world.openAccount()
    _ = await world.run("alert on")
    _ = await world.run("alert off")
    #expect(await world.run("status --json").exitCode == 0)
  }

  @Test func plain_saysWhoWatches() async throws {
    await world.openAccount()
    world.advance(by: .hours(2))
    try await world.watch()
    world.advance(by: .seconds(3))
    await world.expect(
      "status",
      .init(
        0,
        """
        Ada Lovelace: ok, 21h 59m left
        Deadline:       tomorrow 07:52
        Last check-in:  today 07:52, every 24h
        Responders:     Alan Turing and Grace Hopper
        Watched by:     1 monitor, last seen 3s ago

        """))
  }

  @Test func plain_saysThatNobodyWatches() async {
    await world.openAccount()
    world.advance(by: .hours(25))
    await world.expect(
      "status",
      .init(
        20,
        """
        Ada Lovelace: no check-in, overdue for 1h
        Deadline:       today 07:52
        Last check-in:  yesterday 07:52, every 24h
        Responders:     Alan Turing and Grace Hopper
        Watched by:     nobody. Start one with lifesignal monitor.

        """))
  }

  @Test func plain_showsTheAlertWithItsMessage() async {
    await world.openAccount()
    _ = await world.run(["alert", "on", "--message", "Fell on the stairs"])
    let outcome = await world.run("status")
    #expect(outcome.exitCode == 30)
    #expect(outcome.output.hasPrefix("Ada Lovelace: ALERT ON, 1d left to check in\n"))
    #expect(
      outcome.output.contains("Alert:          on since today 07:52 – Fell on the stairs\n"))
  }

  @Test func monitorThatCannotDeliver_isAWarning() async throws {
    await world.openAccount()
    try await world.watch(problem: "mail is not set up")
    let outcome = await world.run("status")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorOutput
        == "lifesignal: The monitor can't send mail: mail is not set up.\n")
  }

  @Test(
    "Status says that mail can't be sent if only e-mail fails, else that messages can't be sent")
  func mailAlone() {
    for (kinds, what) in [([.email], "mail"), (nil, "messages")] as [(Set<Channel.Kind>?, String)] {
      let status = WatchStatus(monitors: 1, problem: "mail is not set up", failingKinds: kinds)
      #expect(
        Situation.Watch(status: status).problem?.text
          == "The monitor can't send \(what): mail is not set up.")
    }
  }

  @Test func withoutAccount_saysWhatToDo() async {
    await world.expect(
      "status --json",
      .init(
        1,
        error:
          "lifesignal: No account is open on this machine. Sign in with lifesignal sign-in, or create"
          + " one with lifesignal init.\n"))
  }

  @Test func standardOutputThatIsFull_isAFailure() async {
    await world.openAccount()
    world[\.outputFailure] = "No space left on device"
    await world.expect(
      "status --json",
      .init(
        1,
        error: "lifesignal: Standard output could not be written: No space left on device.\n"))
  }
}
