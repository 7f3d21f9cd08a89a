import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@Suite("ChannelsClient: test messages, health and log", .timeLimit(.minutes(1)))
struct ChannelLogContractTests {
  private func opened(_ platform: Platform) async throws -> (World, Contact) {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    return (world, try await world.contacts.contacts()[0])
  }

  @Test(
    "CHN-1: a test message is sent without a plan, and its outcome shows as the channel's health")
  func test() async throws {
    for platform in Platform.allCases {
      let (world, bo) = try await opened(platform)
      let mail = bo.channels[0].id
      let user = try await world.user.currentUser()
      world.advance(.minutes(5))
      var changes = world.channels.observe().makeAsyncIterator()
      #expect(try await changes.next()?.health(of: mail) == .sent(World.start))
      #expect(try await world.channels.overview().health(of: user.id) == .unused)
      try await world.channels.sendTest(mail)
      #expect(try await changes.next()?.health(of: mail) == .waiting)
      // The planner doesn't see test messages.
      #expect(try await world.dueAccount().deliveries == [])
      let test = try #require(try await world.deliverAll(.permanent(reason: "550 no")).first)
      guard case .channelTest = test.stage else { return #expect(Bool(false), "\(test.stage)") }
      #expect(test.recipient == .contact(bo.id) && test.recipientName == "Bo")
      #expect(test.alert == nil && test.code == nil)
      #expect(
        try await world.channels.overview().health(of: mail)
          == .failed(world.now, reason: "550 no"))
      try await world.channels.sendTest(user.id)
      let own = try #require(try await world.deliverAll().first)
      #expect(own.recipient == .owner && own.address == "ida@example.org")
      #expect(try await world.channels.overview().health(of: user.id) == .sent(world.now))
      // A test isn't an alert.
      #expect(try await world.alerts.history(10) == [])
    }
  }

  @Test(
    "Each test of a channel is a new message; testing an unknown channel fails",
    arguments: Platform.allCases)
  func twice(_ platform: Platform) async throws {
    let (world, bo) = try await opened(platform)
    try await world.channels.sendTest(bo.channels[0].id)
    try await world.channels.sendTest(bo.channels[0].id)
    let claimed = try await world.deliverAll()
    #expect(Set(claimed.map(\.messageID)).count == 2)
    await expect(ClientError.channelNotFound) { () throws(ClientError) in
      try await world.channels.sendTest(UUID())
    }
  }

  @Test(
    "Removing a channel or contact removes its pending test message", arguments: Platform.allCases)
  func removed(_ platform: Platform) async throws {
    let (world, bo) = try await opened(platform)
    let hook = try await world.channels.add(ChannelsContractTests.hook, nil).channel
    try await world.channels.sendTest(hook.id)
    try await world.channels.remove(hook.id)
    try await world.channels.sendTest(bo.channels[0].id)
    try await world.contacts.delete(bo.id)
    #expect(try await world.deliverAll() == [])
    #expect(try await world.monitor.nextWake() == nil)
  }

  @Test("A channel's health shows when and why a message is retried", arguments: Platform.allCases)
  func retrying(_ platform: Platform) async throws {
    let (world, bo) = try await opened(platform)
    try await world.channels.sendTest(bo.channels[0].id)
    try await world.apply(Plan())
    let test = try #require(
      try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 10)).first)
    let next = world.now + .minutes(2)
    _ = try await world.monitor.record(
      test.id, test.token, .retry(reason: "451 later", after: nil), next, world.now)
    #expect(
      try await world.channels.overview().health(of: bo.channels[0].id)
        == .retrying(next, reason: "451 later"))
  }

  @Test(
    "CHN-1: a channel's log lists its latest messages of every kind, newest first",
    arguments: Platform.allCases)
  func log(_ platform: Platform) async throws {
    let (world, bo) = try await opened(platform)
    let mail = bo.channels[0].id
    world.advance(.minutes(1))
    try await world.channels.sendTest(mail)
    try await world.deliverAll()
    world.advance(.minutes(1))
    let alert = try await world.alerts.raise("")
    try await world.apply(Plan(deliveries: [.alertOn(alert, to: bo)]))
    var log = try await world.channels.log(mail)
    #expect(log.count == 3)
    #expect(log.first?.stage == .alertOn && log.last?.stage == .contactAdded)
    #expect(log.map(\.state) == [.pending, .sent, .sent])
    #expect(log.map(\.recipient) == ["Bo", "Bo", "Bo"])
    let calls = (1...60).map { number in
      var call = PlannedDelivery.alertOn(alert, to: bo)
      call.stage = .alertOnAgain(number)
      return call
    }
    // A planner looks at the account again.
    _ = try await world.user.updateProfile(world.user.currentUser().profile)
    try await world.apply(Plan(deliveries: calls))
    log = try await world.channels.log(mail)
    #expect(log.count == Channel.logLength)
    let user = try await world.user.currentUser()
    #expect(try await world.channels.log(user.id) == [])
    var changes = world.channels.observeLog(user.id).makeAsyncIterator()
    #expect(try await changes.next() == [])
    try await world.channels.sendTest(user.id)
    #expect(try await changes.next()?.count == 1)
  }

  @Test(
    "CHK-3: a silent alert leaves no trace in a channel's health or log",
    arguments: Platform.allCases)
  func silent(_ platform: Platform) async throws {
    let (world, bo) = try await opened(platform)
    try await world.auth.updateGate(
      Gate(passphrase: Secret("open sesame"), duress: Secret("be kind")))
    let before = try await world.channels.overview()
    let log = try await world.channels.log(bo.channels[0].id)
    world.advance(.minutes(1))
    _ = try await world.checkIn.$checkIn(.manual, typing: Secret("be kind"))
    let silent = try #require(try await world.dueAccount().alerts.first)
    try await world.apply(Plan(deliveries: [.alertOn(silent, to: bo)]))
    #expect(try await world.deliverAll().map(\.alert?.id) == [silent.id])
    #expect(try await world.channels.overview() == before)
    #expect(try await world.channels.log(bo.channels[0].id) == log)
  }
}
