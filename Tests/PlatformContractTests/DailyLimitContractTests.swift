import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("NOT-5: daily limit of messages per recipient", .timeLimit(.minutes(1)))
struct DailyLimitContractTests {
  /// An account with Bo, whose first message was that they are a contact.
  private func opened(_ platform: Platform) async throws -> (World, Contact) {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    return (world, try await world.contacts.contacts()[0])
  }

  private func notice(to contact: Contact) -> PlannedDelivery {
    PlannedDelivery(
      occasion: .account, stage: .responderNotice(UUID()), recipient: .contact(contact.id),
      recipientName: contact.name, channel: .email, address: contact.email ?? "")
  }

  private func word(_ stage: Stage, about alert: Alert, to contact: Contact) -> PlannedDelivery {
    var word = PlannedDelivery.alertOn(alert, to: contact)
    word.stage = stage
    return word
  }

  private func sendTests(_ count: Int, to contact: Contact, _ world: World) async throws {
    for _ in 0..<count { try await world.channels.sendTest(contact.channels[0].id) }
    #expect(try await world.deliverAll().count == count)
  }

  @Test("NOT-5: after ten messages in a day a test is refused, but a call for help is sent")
  func tests() async throws {
    for platform in Platform.allCases {
      let (world, bo) = try await opened(platform)
      try await sendTests(9, to: bo, world)
      await expect(ClientError.testTooSoon(name: "Bo")) { () throws(ClientError) in
        try await world.channels.sendTest(bo.channels[0].id)
      }
      // Nothing else waits for tests.
      try await world.apply(Plan(deliveries: [notice(to: bo)]))
      #expect(try await world.deliverAll().count == 1)
      let alert = try await world.alerts.raise("")
      let calls = (1...12).map { word(.alertOnAgain($0), about: alert, to: bo) }
      try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)] + calls))
      #expect(try await world.deliverAll().count == 13)
      _ = try await world.alerts.cancel()
      try await world.apply(Plan(deliveries: [word(.alertOff, about: alert, to: bo)]))
      #expect(try await world.deliverAll().map(\.stage) == [.alertOff])
      world.advance(.minutes(24 * 60 + 2))
      try await sendTests(10, to: bo, world)
    }
  }

  @Test("NOT-5: beyond 20 messages a day the rest waits a day, and the person is notified once")
  func notices() async throws {
    for platform in Platform.allCases {
      let (world, bo) = try await opened(platform)
      try await world.apply(Plan(deliveries: (1...25).map { _ in notice(to: bo) }))
      #expect(try await world.deliverAll().count == 19)
      let said = try await world.list().filter { $0.kind == .info }
      #expect(said.map(\.subject) == ["Messages to Bo wait until tomorrow"])
      #expect(try await world.channels.overview().health(of: bo.channels[0].id) != .unused)
      world.advance(.hours(23))
      #expect(try await world.deliverAll().isEmpty)
      world.advance(.minutes(62))
      #expect(try await world.deliverAll().count == 6)
      // They count for that day.
      try await world.apply(Plan(deliveries: (1...15).map { _ in notice(to: bo) }))
      #expect(try await world.deliverAll().count == 14)
    }
  }

  @Test("NOT-5: failed messages and messages to other recipients don't count towards the limit")
  func counted() async throws {
    for platform in Platform.allCases {
      let world = try World(platform)
      try await world.openAccount(responders: [.bo, .cem])
      let people = try await world.contacts.contacts()
      for _ in 1...12 {
        try await world.channels.sendTest(people[0].channels[0].id)
        try await world.deliverAll(.permanent(reason: "550 no"))
      }
      try await sendTests(9, to: people[0], world)
      try await sendTests(9, to: people[1], world)
    }
  }

  @Test("NOT-5: a drill counts as a test: beyond the limit its call fails and the report says why")
  func drill() async throws {
    for platform in Platform.allCases {
      let (world, bo) = try await opened(platform)
      try await sendTests(9, to: bo, world)
      let drill = try await world.alerts.drill()
      try await world.apply(Plan(deliveries: [.alertOn(drill, to: bo)]))
      #expect(try await world.deliverAll().isEmpty)
      let report = try #require(try await world.alerts.history(1).first?.deliveries.first)
      #expect(report.state == .failed)
      #expect(report.error == "they were sent too many messages within a day")
      // That says nothing of the channel.
      #expect(
        try await world.channels.overview().health(of: bo.channels[0].id) == .sent(world.now))
      // A real alert is none.
      _ = try await world.alerts.endDrill()
      let alert = try await world.alerts.raise("")
      try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
      #expect(try await world.deliverAll().map(\.stage) == [.alertOn])
    }
  }

  @Test("NOT-5: responding and withdrawing again and again stays within the others' daily limit")
  func responses() async throws {
    for platform in Platform.allCases {
      let (world, bo) = try await opened(platform)
      let alert = try await world.alerts.raise("")
      let words = (1...15).flatMap { _ in
        [Stage.acknowledged(UUID()), .withdrawn(UUID())].map { word($0, about: alert, to: bo) }
      }
      try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)] + words))
      #expect(try await world.deliverAll().count == 1 + 19)
    }
  }

  @Test("NOT-5, CHK-3: a silent alert's messages don't change how many tests the person can send")
  func duress() async throws {
    for platform in Platform.allCases {
      let (world, bo) = try await opened(platform)
      try await world.auth.updateGate(
        Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
      try await world.deliverAll()
      _ = try await world.checkIn.$checkIn(.manual, typing: Secret("green kettle"))
      let silent = try #require(try await world.dueAccount().alerts.first)
      try await world.apply(
        Plan(deliveries: (1...25).map { _ in word(.acknowledged(UUID()), about: silent, to: bo) }))
      #expect(try await world.deliverAll().count == 20)
      #expect(try await world.list().filter { $0.kind == .info }.isEmpty)
      var count = 0
      while (try? await world.channels.sendTest(bo.channels[0].id)) != nil { count += 1 }
      let (plain, other) = try await opened(platform)
      try await plain.auth.updateGate(
        Gate(passphrase: Secret("blue kettle"), duress: Secret("green kettle")))
      try await plain.deliverAll()
      var plainCount = 0
      while (try? await plain.channels.sendTest(other.channels[0].id)) != nil { plainCount += 1 }
      #expect(count == plainCount && count > 0)
    }
  }

  @Test(
    "NOT-5: on a server a contact gets no test before the message that they are a contact",
    arguments: Platform.allShared)
  func beforeIntroduction(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    var last: Contact?
    for number in 0...ContactRules.introductionsADay {
      last = try await world.contacts.add(
        ContactDraft(name: "C\(number)", email: "c\(number)@example.org", roles: .responder))
    }
    let late = try #require(last)
    await expect(ClientError.testTooSoon(name: late.name)) { () throws(ClientError) in
      try await world.channels.sendTest(late.channels[0].id)
    }
  }
}
