import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Testing

@testable import CommandLine

/// The demo with a fast clock, seen through its clients.
@MainActor @Suite struct DemoWorldTests {
  let base = TestClock()
  let world: DemoWorld
  let clients: DependencyValues

  init() async {
    world = await DemoWorld(start: World.start, speed: 3_600, calendar: .utc, base: base)
    var clients = DependencyValues()
    world.provide(&clients)
    self.clients = clients
  }

  /// Lets time pass until a condition holds.
  private func pass(
    until isSo: () async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<4_000 {
      if try await isSo() { return }
      await base.advance(by: .milliseconds(50))
      for _ in 0..<20 { await Task.yield() }
    }
    Issue.record("This has not come about.", sourceLocation: sourceLocation)
  }

  @Test("ALT-1: in a fast demo, key presses are timed by the real clock, not the demo's")
  func personTime() async {
    let dates = clients.dateClient
    let (now, personNow) = (dates.now(), dates.personNow())
    await base.advance(by: .seconds(1))
    #expect(dates.now() == now + .hours(1) && dates.personNow() == personNow + .seconds(1))
  }

  private func kinds() async throws -> [NotificationItem.Kind] {
    let known = World.start
    return try await clients.notificationClient.notifications(1_000, .all)
      .filter { $0.date > known }.map(\.kind)
  }

  @Test(
    "ESC-1, CHK-6: a deadline missed in the demo notifies others; a check-in sends the all-clear")
  func deadline() async throws {
    let life = Task.detached { [world] in await world.live() }
    defer { life.cancel() }
    try await pass { try await kinds().contains(.nonResponsive) }
    #expect(
      Set(try await kinds()).isSuperset(of: [.reminder, .deadlinePassed, .nonResponsive]))
    try await pass {
      let alert = try await clients.alertClient.history(1).first
      return alert?.alert.kind == .missed && alert?.messages.isEmpty == false
        && alert?.messages.map(\.state).allSatisfy { $0 == .sent } == true
        && alert?.alert.acknowledgements.isEmpty == false
    }
    let alert = try #require(try await clients.alertClient.history(1).first)
    // Four contacts without accounts and one with an account.
    #expect(Set(alert.messages.map(\.recipient)).count == 5)
    _ = try await clients.checkInClient.checkIn(.manual)
    try await pass {
      let report = try await clients.alertClient.history(9).first { $0.id == alert.id }
      let ends = report?.deliveries.filter { $0.stage == .allClear } ?? []
      return ends.count == 5 && ends.map(\.state).allSatisfy { $0 == .sent }
    }
  }

  @Test("CHN-2: in the demo, a message that a slow mail server defers is sent after retries")
  func slowServer() async throws {
    let life = Task.detached { [world] in await world.live() }
    defer { life.cancel() }
    _ = try await clients.alertClient.raise("")
    func message() async throws -> DeliveryReport? {
      try await clients.alertClient.history(1).first?.deliveries.first {
        $0.address == DemoStory.slowMailbox && $0.stage == .alertOn
      }
    }
    try await pass { try await message()?.error == "451 4.7.1 Try again later." }
    try await pass { try await message()?.state == .sent }
  }

  @Test("In the demo, dependents check in, an alert ends and a ping is answered")
  func neighbours() async throws {
    let life = Task.detached { [world] in await world.live() }
    defer { life.cancel() }
    func dependents() async throws -> [DependentStatus] {
      try await clients.contactsClient.contacts().compactMap(\.link?.dependentStatus)
    }
    #expect(try await dependents().contains { $0.alert?.kind == .manual })
    try await pass { try await !dependents().contains { $0.alert?.kind == .manual } }
    #expect(try await kinds().contains(.pingAnswered))
    let checkedIn = try await dependents().filter { $0.lastCheckIn > World.start }
    #expect(!checkedIn.isEmpty)
  }

  @Test("The demo runs its clients in the preview context")
  func isolation() {
    #expect(clients.context == .preview)
  }
}
