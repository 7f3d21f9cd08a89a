import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// The order in which responders are notified of a missed deadline: ESC-8.
@MainActor @Suite("ESC-8: in order", .timeLimit(.minutes(2))) struct OrderTests {
  private let world = World()
  private var graceEnd: Date { world.deadline + .minutes(15) }

  /// Opens Ada's account; the responders wait as long as given.
  private func open(_ waits: KeyValuePairs<String, TimeSpan>) async throws {
    try await world.openAccount(responders: waits.map(\.key))
    for (name, wait) in waits where wait > .zero {
      let contacts = try await world.clients.contactsClient.contacts()
      let contact = try #require(contacts.first { $0.name == name })
      _ = try await world.clients.contactsClient.setWait(contact.id, wait)
    }
    // The messages about that aren't what these tests are about.
    await world.live(world.monitor(), until: world.now + .minutes(1))
  }

  /// What arrived, with the minutes after the grace time's end.
  private func live(until minutes: Int, _ monitor: MonitorLoop<TestClock>) async {
    await world.live(monitor, until: graceEnd + .minutes(minutes))
  }

  private var calls: [String] { world.mailbox.lines.filter { $0.hasPrefix("non_responsive ") } }

  @Test("ESC-8: those who wait are notified in their turn, if nobody is responding")
  func turns() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30), "Eve": .hours(2)])
    let monitor = world.monitor()
    await live(until: 1, monitor)
    #expect(calls == ["non_responsive Bob"])
    await live(until: 29, monitor)
    #expect(calls.count == 1)
    await live(until: 31, monitor)
    #expect(calls == ["non_responsive Bob", "non_responsive Cyd"])
    await live(until: 121, monitor)
    #expect(calls.last == "non_responsive Eve")
    // Each is notified again from then on, like everyone.
    #expect(world.mailbox.lines.contains("non_responsive_again:1 Cyd"))
    _ = try await world.clients.checkInClient.checkIn(.manual)
    await live(until: 125, monitor)
    #expect(world.mailbox.lines.filter { $0.hasPrefix("all_clear") }.count == 3)
  }

  @Test("CHK-6, ESC-8: who still waits when the alert ends is sent nothing")
  func over() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    let monitor = world.monitor()
    await live(until: 20, monitor)
    _ = try await world.clients.checkInClient.checkIn(.manual)
    await live(until: 60, monitor)
    #expect(
      world.mailbox.lines.filter { $0.hasSuffix("Cyd") && !$0.hasPrefix("responder_notice") } == [])
    #expect(world.mailbox.lines.last == "all_clear Bob")
  }

  @Test("ESC-8: if nobody is notified at once, the earliest are; the others count from the raise")
  func nobodyAtOnce() async throws {
    try await open(["Bob": .hours(1), "Cyd": .minutes(30)])
    let monitor = world.monitor()
    await live(until: 1, monitor)
    #expect(calls == ["non_responsive Cyd"])
    await live(until: 59, monitor)
    #expect(calls.count == 1)
    await live(until: 61, monitor)
    #expect(calls.last == "non_responsive Bob")
  }

  @Test("ESC-8: if no message to those before is accepted within 2 minutes, the next are notified")
  func nobodyReached() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30), "Eve": .hours(2)])
    world.mailbox.answer { $0.recipientName == "Eve" ? .sent : .retry(reason: "busy", after: nil) }
    let monitor = world.monitor()
    await live(until: 1, monitor)
    var tried: [String] {
      world.mailbox.attempts.filter { $0.stage == .nonResponsive }.map(\.recipientName)
    }
    #expect(!tried.contains("Cyd"))
    await live(until: 3, monitor)
    #expect(tried.contains("Cyd"))
    #expect(calls == [])
    await live(until: 5, monitor)
    #expect(calls == ["non_responsive Eve"])
    // Once one of them is reached, nobody who was notified is forgotten.
    world.mailbox.answer { _ in .sent }
    await live(until: 30, monitor)
    #expect(Set(calls) == ["non_responsive Bob", "non_responsive Cyd", "non_responsive Eve"])
  }

  @Test("ESC-8: after a response, those who wait are called an hour later, with who is responding")
  func held() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    let monitor = world.monitor()
    await live(until: 10, monitor)
    let code = try #require(world.mailbox.attempts.last?.code)
    _ = try await world.clients.responseClient.respond(code.value)
    await live(until: 69, monitor)
    #expect(calls == ["non_responsive Bob"])
    await live(until: 71, monitor)
    #expect(calls.last == "non_responsive Cyd")
    let last = world.mailbox.attempts.last { $0.stage == .nonResponsive }
    let alert = try #require(last?.alert)
    #expect(alert.acknowledgements.map(\.name) == ["Bob"])
  }

  @Test("ESC-8, PAGE-1: a withdrawal starts those who waited")
  func withdrawn() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    let monitor = world.monitor()
    await live(until: 10, monitor)
    let code = try #require(world.mailbox.attempts.last?.code)
    _ = try await world.clients.responseClient.respond(code.value)
    await live(until: 40, monitor)
    #expect(calls.count == 1)
    _ = try await world.clients.responseClient.withdraw(code.value, true)
    await live(until: 41, monitor)
    #expect(calls.last == "non_responsive Cyd")
  }

  @Test("ALT-1, ESC-8: an alert raised by hand goes to everyone at once")
  func manual() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    _ = try await world.clients.alertClient.raise("help")
    await world.live(world.monitor(), until: world.now + .minutes(1))
    #expect(
      Set(world.mailbox.lines.filter { $0.hasPrefix("alert_on ") }) == [
        "alert_on Bob", "alert_on Cyd",
      ])
  }

  @Test("CHK-3, ESC-8: a silent alert goes to everyone at once")
  func silent() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    try await world.clients.authClient.updateGate(
      Gate(passphrase: Secret("blue kettle"), duress: Secret("red kettle")))
    _ = try await world.clients.checkInClient.$checkIn(.manual, typing: Secret("red kettle"))
    await world.live(world.monitor(), until: world.now + .minutes(1))
    #expect(world.mailbox.lines.filter { $0.hasPrefix("alert_on ") }.count == 2)
  }

  @Test("ESC-4, ESC-8: whose turn came while no monitor ran are notified at its return")
  func outage() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    await live(until: 5, world.monitor())
    await world.sleep(until: graceEnd + .minutes(45))
    await live(until: 46, world.monitor())
    #expect(calls == ["non_responsive Bob", "non_responsive Cyd"])
  }

  @Test("ESC-8: having somebody wait longer changes nothing in an alert that is on; less does")
  func running() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30), "Eve": .hours(2)])
    let monitor = world.monitor()
    await live(until: 5, monitor)
    let contacts = try await world.clients.contactsClient.contacts()
    for (name, wait) in [("Cyd", TimeSpan.hours(4)), ("Cyd", .hours(12)), ("Eve", .minutes(15))] {
      let contact = try #require(contacts.first { $0.name == name })
      _ = try await world.clients.contactsClient.setWait(contact.id, wait)
    }
    await live(until: 16, monitor)
    #expect(calls.last == "non_responsive Eve")
    await live(until: 31, monitor)
    #expect(calls.last == "non_responsive Cyd")
  }

  @Test("ESC-8: who is reached at one address by two contacts is called as early as either")
  func sharedAddress() {
    func contact(_ number: UInt64, _ addedAt: Date, _ wait: TimeSpan) -> Contact {
      var contact = Contact.responder(UUID(number), "Bo", "bo@example.org")
      contact.addedAt = addedAt
      contact.wait = ResponderWait(span: wait, earlier: .zero, changedAt: start)
      return contact
    }
    let contacts = [contact(1, start, .hours(24)), contact(2, start + 60, .zero)]
      .withUniqueAddresses
    #expect(contacts.map(\.channels.count) == [0, 1])
  }

  @Test("CON-3, ESC-8: if those before decline, the next are notified at once")
  func declined() async throws {
    try await open(["Bob": .zero, "Cyd": .minutes(30)])
    let monitor = world.monitor()
    await live(until: 5, monitor)
    let bob = try #require(
      try await world.clients.contactsClient.contacts().first { $0.name == "Bob" })
    try await world.clients.contactsClient.delete(bob.id)
    await live(until: 6, monitor)
    #expect(calls.last == "non_responsive Cyd")
  }
}
