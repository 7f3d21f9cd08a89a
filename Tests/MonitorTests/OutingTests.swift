import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import Monitor

/// Outings under a real store and monitor: OUT-1 … OUT-4 and what they make of ESC-1 … ESC-8.
@MainActor @Suite("OUT: outings", .timeLimit(.minutes(2))) struct OutingTests {
  private let world = World()

  private var checkIn: CheckInClient { world.clients.checkInClient }

  /// Opens Ada's account and starts an outing of 4 h.
  @discardableResult private func goOut(
    _ end: String = "4h", email: String? = nil, text: String = "Ben Nevis, red tent",
    responders: [String] = ["Bob", "Cyd"], for chosen: [String] = [], tells: Bool = false,
    waits: Bool = false, grace: TimeSpan = Outing.standardGrace
  ) async throws -> Outing {
    try await world.openAccount(responders: responders, email: email)
    let contacts = try await world.clients.contactsClient.contacts()
    let user = try await checkIn.startOuting(
      OutingDraft(
        end: end, zone: "UTC", text: text,
        responders: chosen.map { name in contacts.first { $0.name == name }!.id },
        isAnnounced: tells, holdsDeadline: waits, grace: grace))
    return try #require(user.outing)
  }

  private func live(_ monitor: MonitorLoop<TestClock>, minutes: Int) async {
    await world.live(monitor, until: start + .minutes(minutes))
  }

  private func user() async throws -> User { try await world.clients.userClient.currentUser() }

  private func alerts() async throws -> [Alert] {
    try await world.clients.alertClient.history(10).map(\.alert)
  }

  private var lines: [String] { world.mailbox.lines }

  @Test(
    "OUT-4: reminded 30 and 10 minutes before the end and at it, then the responders are notified")
  func missed() async throws {
    let outing = try await goOut(email: "ada@example.org")
    let monitor = world.monitor()
    let end = "/\(Int(outing.until.timeIntervalSince1970)) Ada"
    await live(monitor, minutes: 209)
    #expect(lines == [])
    await live(monitor, minutes: 211)
    #expect(lines == ["outing_ends:1800" + end])
    await live(monitor, minutes: 231)
    #expect(lines.last == "outing_ends:600" + end)
    await live(monitor, minutes: 254)
    #expect(lines.last == "outing_ends:0" + end && lines.count == 3)
    await live(monitor, minutes: 256)
    #expect(lines.suffix(2) == ["non_responsive Bob", "non_responsive Cyd"])
    let call = try #require(world.mailbox.attempts.last)
    #expect(call.alert?.kind == .outing && call.alert?.dueBack == outing.until)
    #expect(call.outing?.text == "Ben Nevis, red tent")
    let alert = try #require(try await alerts().first)
    #expect(alert.id == outing.id && alert.message == outing.text && alert.isActive)
    let notices = try await world.clients.notificationClient.notifications(20, .all)
    #expect(notices.map(\.kind) == [.notBack, .deadlinePassed, .reminder, .reminder])
    // Repeated like any call, and ended by nothing but *I'm back*.
    await live(monitor, minutes: 256 + 60)
    #expect(lines.suffix(2) == ["non_responsive_again:1 Bob", "non_responsive_again:1 Cyd"])
    _ = try await checkIn.checkIn(.manual)
    #expect(try await alerts().map(\.isActive) == [true])
    await live(monitor, minutes: 318)
    let back = try await checkIn.endOuting(outing.id)
    #expect(back.outing == nil && back.lastCheckIn == world.now)
    #expect(try await alerts().map(\.state) == [.resolved(by: .checkIn, at: world.now)])
    await live(monitor, minutes: 330)
    #expect(lines.suffix(2) == ["all_clear Bob", "all_clear Cyd"])
    #expect(try await checkIn.history(1).map(\.source) == [.outing])
  }

  @Test("OUT-2: after the person is back in time, nothing more is sent")
  func backInTime() async throws {
    let outing = try await goOut(email: "ada@example.org")
    let monitor = world.monitor()
    await live(monitor, minutes: 215)
    _ = try await checkIn.endOuting(outing.id)
    await live(monitor, minutes: 300)
    #expect(lines.count == 1 && lines[0].hasPrefix("outing_ends:1800/"))
    #expect(try await alerts() == [])
  }

  @Test("OUT-3: a later end moves the reminders and the alert with it")
  func extended() async throws {
    let outing = try await goOut(email: "ada@example.org")
    let monitor = world.monitor()
    await live(monitor, minutes: 215)
    let later = try await checkIn.extendOuting(OutingExtension(outing, by: .hours(1)))
    #expect(later.outing?.until == outing.until + .hours(1))
    await live(monitor, minutes: 269)
    #expect(lines.count == 1)
    await live(monitor, minutes: 316)
    #expect(
      lines.map { $0.prefix { $0 != "/" && $0 != " " } } == [
        "outing_ends:1800", "outing_ends:1800", "outing_ends:600", "outing_ends:0",
        "non_responsive", "non_responsive",
      ])
    // Another device has the old end; and now it can only end.
    await #expect(throws: ClientError.outingChanged(outing.until + .hours(1))) {
      try await checkIn.extendOuting(OutingExtension(outing, by: .hours(1)))
    }
    let seen = try #require(later.outing)
    await #expect(throws: ClientError.outingMissed) {
      try await checkIn.extendOuting(OutingExtension(seen, by: .hours(1)))
    }
  }

  @Test("OUT-3: *back* beats an extension that comes after it")
  func backBeatsExtension() async throws {
    let outing = try await goOut()
    _ = try await checkIn.endOuting(outing.id)
    await #expect(throws: ClientError.notOut) {
      try await checkIn.extendOuting(OutingExtension(outing, by: .hours(1)))
    }
    // A second *back*, or one for an outing of before, is a check-in and ends no other outing.
    let next = try await checkIn.startOuting(OutingDraft(end: "2h", zone: "UTC"))
    let user = try await checkIn.endOuting(outing.id)
    #expect(user.outing == next.outing && user.outing != nil)
  }

  @Test("OUT-4: only the chosen responders are notified, in their order")
  func chosen() async throws {
    let outing = try await goOut(responders: ["Bob", "Cyd", "Eve"], for: ["Bob", "Eve"])
    let eve = try #require(outing.responders.last)
    _ = try await world.clients.contactsClient.setWait(eve, .minutes(30))
    let monitor = world.monitor()
    await live(monitor, minutes: 256)
    #expect(lines.filter { $0.hasPrefix("non_resp") } == ["non_responsive Bob"])
    await live(monitor, minutes: 286)
    #expect(
      lines.filter { $0.hasPrefix("non_resp") } == ["non_responsive Bob", "non_responsive Eve"])
  }

  @Test(
    "OUT-1: if none of the chosen is a responder any more, everyone is, and the person reads it")
  func lost() async throws {
    let outing = try await goOut(for: ["Bob"])
    try await world.clients.contactsClient.delete(outing.responders[0])
    let monitor = world.monitor()
    await live(monitor, minutes: 1)
    #expect(try await user().outing?.responders == [])
    let notice = try await world.clients.notificationClient.notifications(1, .all)[0]
    #expect(notice.subject == "Everyone is notified if you aren't back")
    await live(monitor, minutes: 256)
    #expect(lines.filter { $0.hasPrefix("non_resp") } == ["non_responsive Cyd"])
  }

  @Test(
    "OUT-4: deadline and outing missed together: each a call, the later one is repeated, each ends")
  func both() async throws {
    let outing = try await goOut("25h", for: ["Bob"])
    let monitor = world.monitor()
    let missedAt = 24 * 60 + 15
    await live(monitor, minutes: missedAt + 1)
    #expect(lines == ["non_responsive Bob", "non_responsive Cyd"])
    // A missed deadline's message carries the text to the outing's responders only.
    let calls = world.mailbox.attempts.filter { $0.alert?.kind == .missed }
    #expect(calls.map(\.outing?.text) == ["Ben Nevis, red tent", nil])
    let code = try #require(calls.first { $0.recipientName == "Bob" }?.code)
    _ = try await world.clients.responseClient.respond(code.value)
    await live(monitor, minutes: missedAt + 59)
    let quiet = lines.count
    // The second reason is a new call, in spite of the response, and starts the repeats again.
    await live(monitor, minutes: missedAt + 61)
    #expect(lines.count > quiet && lines.filter { $0 == "non_responsive Bob" }.count == 2)
    await live(monitor, minutes: missedAt + 125)
    #expect(lines.filter { $0.hasPrefix("non_responsive_again") } == ["non_responsive_again:1 Bob"])
    // Each ends by itself.
    _ = try await checkIn.checkIn(.manual)
    #expect(try await alerts().map(\.isActive) == [true, false])
    await live(monitor, minutes: missedAt + 130)
    #expect(lines.filter { $0.hasPrefix("all_clear") } == ["all_clear Bob", "all_clear Cyd"])
    let still = try #require(world.mailbox.attempts.last { $0.stage == .allClear })
    #expect(still.isAnotherAlertOn)
    _ = try await checkIn.endOuting(outing.id)
    await live(monitor, minutes: missedAt + 140)
    #expect(lines.last == "all_clear Bob" && lines.filter { $0.hasPrefix("all_clear") }.count == 3)
  }

  @Test("OUT-4: both missed at once are one call to each, one repeat and, at *back*, one all-clear")
  func atOnce() async throws {
    let outing = try await goOut("24h", for: ["Bob"])
    let monitor = world.monitor()
    await live(monitor, minutes: 24 * 60 + 20)
    let calls = world.mailbox.attempts.filter { $0.stage == .nonResponsive }
    #expect(calls.map { "\($0.recipientName) \($0.alert!.kind)" } == ["Bob outing", "Cyd missed"])
    await live(monitor, minutes: 24 * 60 + 80)
    let repeats = world.mailbox.attempts.filter { $0.stage == .nonResponsiveAgain(1) }
    #expect(
      repeats.map { "\($0.recipientName) \($0.alert!.kind)" } == ["Bob outing", "Cyd missed"])
    _ = try await checkIn.endOuting(outing.id)
    await live(monitor, minutes: 24 * 60 + 90)
    #expect(lines.suffix(2).sorted() == ["all_clear Bob", "all_clear Cyd"])
    #expect(lines.filter { $0.hasPrefix("all_clear") }.count == 2)
  }

  @Test("OUT-4: of two that were missed one after the other, the later is repeated to each")
  func laterRepeats() async throws {
    try await goOut("24h 20m")
    let monitor = world.monitor()
    await live(monitor, minutes: 24 * 60 + 40)
    #expect(lines.filter { $0.hasPrefix("non_responsive ") }.count == 4)
    await live(monitor, minutes: 24 * 60 + 97)
    #expect(
      world.mailbox.attempts.filter { $0.stage.isRepeat }.map { $0.alert?.kind }
        == [.outing, .outing])
  }

  @Test(
    "ESC-2, OUT-4: who wasn't chosen for an outing can't respond to it by responding to another alert"
  )
  func responseOfOthers() async throws {
    try await goOut("24h 20m", for: ["Bob"])
    let monitor = world.monitor()
    await live(monitor, minutes: 24 * 60 + 40)
    let call = world.mailbox.attempts.first { $0.recipientName == "Cyd" && $0.stage.isCall }
    _ = try await world.clients.responseClient.respond(try #require(call?.code).value)
    let found = try await alerts()
    #expect(found.map { "\($0.kind) \($0.acknowledgements.count)" } == ["outing 0", "missed 1"])
  }

  @Test("OUT-3: a deadline that waits is missed with the outing, in one message to each")
  func waits() async throws {
    let outing = try await goOut("26h", for: ["Bob"], waits: true)
    let user = try await user()
    #expect(user.deadline.date == outing.until && user.deadline.promised == start + .hours(24))
    let monitor = world.monitor()
    await live(monitor, minutes: 1)
    // Everyone learns that it waits.
    #expect(lines.map { $0.prefix { $0 != ":" } } == ["responder_notice", "responder_notice"])
    await live(monitor, minutes: 26 * 60 + 14)
    #expect(lines.count == 2)
    await live(monitor, minutes: 26 * 60 + 16)
    #expect(Set(lines.suffix(2)) == ["non_responsive Bob", "non_responsive Cyd"])
    #expect(lines.count == 4)
    _ = try await checkIn.endOuting(outing.id)
    #expect(try await alerts().allSatisfy { !$0.isActive })
    await live(monitor, minutes: 26 * 60 + 20)
    #expect(lines.filter { $0 == "all_clear Bob" }.count == 1)
    #expect(lines.filter { $0 == "all_clear Cyd" }.count == 1)
  }

  @Test("OUT-3: back early from an outing that a deadline waited for, the deadline is as it was")
  func returns() async throws {
    try await world.openAccount()
    let times = try SetTimes(parsing: "daily 09:00", zone: "UTC")
    let before = try await checkIn.updateSchedule(times)
    let out = try await checkIn.startOuting(
      OutingDraft(end: "2d", zone: "UTC", holdsDeadline: true))
    let outing = try #require(out.outing)
    #expect(out.deadline.date == outing.until && out.deadline.promised == before.deadline.date)
    // Back before the set time opens: it is due as before.
    let back = try await checkIn.endOuting(outing.id)
    #expect(back.deadline.date == before.deadline.date && back.schedule?.isEarly == true)
    // Back after it has passed: late for it.
    let again = try await checkIn.startOuting(
      OutingDraft(end: "2d", zone: "UTC", holdsDeadline: true))
    await world.sleep(until: before.deadline.date + .hours(3))
    let late = try await checkIn.endOuting(try #require(again.outing).id)
    #expect(late.deadline.date == before.deadline.date + .hours(24))
    #expect(try await checkIn.history(1)[0].margin == .hours(-3))
  }

  @Test("ESC-4, OUT-4: an end that passed while no monitor ran gets a fresh grace time, once")
  func unwatched() async throws {
    let outing = try await goOut(email: "ada@example.org")
    await live(world.monitor(), minutes: 60)
    await world.sleep(until: outing.until + .hours(1))
    let monitor = world.monitor()
    await world.live(monitor, until: outing.until + .minutes(61))
    #expect(lines.map { $0.prefix { $0 != ":" } } == ["outing_noticed_late"])
    #expect(try await user().outing?.graceFrom != nil)
    await world.live(monitor, until: outing.until + .minutes(74))
    #expect(lines.count == 1)
    await world.live(monitor, until: outing.until + .minutes(77))
    #expect(lines.count == 3)
    let call = try #require(world.mailbox.attempts.last?.alert)
    #expect(call.noticedLateBy == .hours(1))
  }

  @Test("OUT-4: a pause never covers an outing")
  func paused() async throws {
    let outing = try await goOut()
    _ = try await checkIn.pause(start + .days(3))
    await live(world.monitor(), minutes: 256)
    #expect(lines == ["non_responsive Bob", "non_responsive Cyd"])
    #expect(try await user().outing == outing)
  }

  @Test("OUT-4: a drill is allowed during an outing, and its alert ends the drill")
  func drill() async throws {
    try await goOut()
    world.mailbox.answer {
      $0.alert?.kind == .drill ? .retry(reason: "busy", after: nil) : .sent
    }
    let monitor = world.monitor()
    await live(monitor, minutes: 254)
    _ = try await world.clients.alertClient.drill()
    await live(monitor, minutes: 256)
    #expect(lines == ["non_responsive Bob", "non_responsive Cyd"])
    #expect(try await alerts().map(\.kind) == [.outing, .drill])
    #expect(try await alerts().map(\.isActive) == [true, false])
    await #expect(throws: ClientError.alertIsOn) {
      try await world.clients.alertClient.drill()
    }
  }

  @Test(
    "CHK-6, OUT-4: *back* ends the outing and no alert that was raised by hand, whose message has its text"
  )
  func manual() async throws {
    let outing = try await goOut(for: ["Bob"])
    _ = try await world.clients.alertClient.raise("help")
    let monitor = world.monitor()
    await live(monitor, minutes: 1)
    let calls = world.mailbox.attempts.filter { $0.stage == .alertOn }
    #expect(calls.map(\.outing?.text) == ["Ben Nevis, red tent", nil])
    _ = try await checkIn.endOuting(outing.id)
    #expect(try await alerts().map(\.isActive) == [true])
    #expect(try await user().outing == nil)
  }

  @Test("OUT-2: who was sent that somebody is out is sent a later end and the return, too")
  func told() async throws {
    let outing = try await goOut(for: ["Bob"], tells: true)
    let monitor = world.monitor()
    await live(monitor, minutes: 1)
    _ = try await checkIn.extendOuting(OutingExtension(outing, by: .minutes(30)))
    await live(monitor, minutes: 2)
    _ = try await checkIn.endOuting(outing.id)
    await live(monitor, minutes: 3)
    #expect(lines.map { $0.prefix { $0 != ":" } } == Array(repeating: "reassurance", count: 3))
    #expect(Set(world.mailbox.attempts.map(\.recipientName)) == ["Bob"])
    #expect(
      world.mailbox.attempts.map(\.detail) == [
        ResponderNotice.out(outing.until), ResponderNotice.longer(outing.until + .minutes(30)),
        ResponderNotice.back,
      ])
  }

  @Test("AUTH-4, OUT-4: who was sent an outing reads that it was on when the account is deleted")
  func deleted() async throws {
    try await goOut(for: ["Bob"], tells: true)
    let monitor = world.monitor()
    await live(monitor, minutes: 1)
    try await world.clients.authClient.deleteAccount(nil)
    await live(monitor, minutes: 2)
    let last = world.mailbox.attempts.filter { $0.stage == .accountDeleted }
    #expect(last.map { $0.outing != nil } == last.map { $0.recipientName == "Bob" })
    #expect(last.count == 2)
    await live(monitor, minutes: 400)
    #expect(!lines.contains { $0.hasPrefix("non_responsive") })
  }

  @Test("ESC-3, OUT-4: two monitors raise one alert, and call each responder once")
  func twoMonitors() async throws {
    try await goOut()
    let (one, other) = (world.monitor(), world.monitor())
    await live(one, minutes: 255)
    await live(other, minutes: 257)
    await live(one, minutes: 258)
    #expect(lines == ["non_responsive Bob", "non_responsive Cyd"])
    #expect(try await alerts().count == 1)
  }

  @Test("WCH-2, OUT-4: the waiting message of a standby covers the earlier of deadline and outing")
  func standby() async throws {
    let outing = try await goOut()
    try await world.clients.standbyClient.update(Standby(topic: "https://ntfy.sh/ada"))
    let duty = try #require(try await world.clients.standbyClient.duties().first)
    #expect(
      duty.steps(at: world.now) == [
        .schedule(
          WaitingMessage(topic: "https://ntfy.sh/ada", date: outing.graceEnd + .minutes(10)))
      ])
    _ = try await checkIn.endOuting(outing.id)
    let after = try #require(try await world.clients.standbyClient.duties().first)
    #expect(
      after.steps(at: world.now) == [
        .schedule(
          WaitingMessage(topic: "https://ntfy.sh/ada", date: world.deadline + .minutes(25)))
      ])
  }
}
