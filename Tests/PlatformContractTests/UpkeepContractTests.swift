import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("UpkeepClient", .timeLimit(.minutes(1)))
struct UpkeepContractTests {
  @Test(
    "The load counts accounts, pending calls for help and pending messages not about alerts",
    arguments: Platform.allCases)
  func load(_ platform: Platform) async throws {
    let world = try World(platform)
    #expect(try await world.upkeep.load() == WatchLoad(accounts: 0, pendingMessages: 0))
    try await world.openAccount(responders: [.bo])
    _ = try await world.openFurtherAccount(NewAccount(profile: Profile(name: "Jo")))
    #expect(try await world.upkeep.load() == WatchLoad(accounts: 2, pendingMessages: 0))
    _ = try await world.alerts.arm(UUID(), "", .seconds(5))
    #expect(try await world.upkeep.load().pendingCalls == 1)
    let alert = try await world.alerts.raise("")
    let account = try #require(
      await world.monitor.due(world.now, 10).first { !$0.alerts.isEmpty })
    let responder = account.responders[0]
    let delivery = PlannedDelivery(
      occasion: .alert(alert.id), stage: .alertOn, recipient: .contact(responder.id),
      recipientName: responder.name, channel: .email, address: "bo@example.org")
    _ = try await world.monitor.apply(
      Plan(deliveries: [delivery]), account.user.id, account.revision, world.now)
    // Messages about alerts aren't counted, since a silent alert would show (ALT-9).
    let load = WatchLoad(accounts: 2, pendingMessages: 0, pendingCalls: 1)
    #expect(try await world.upkeep.load() == load)
    try await world.channels.sendTest(responder.channels[0].id)
    #expect(
      try await world.upkeep.load()
        == WatchLoad(accounts: 2, pendingMessages: 1, pendingCalls: 1))
  }

  @Test(
    "Without changes since the last backup, no new backup is made", arguments: Platform.allCases)
  func noBackup(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    _ = try await world.upkeep.backUp(world.now)
    #expect(try await world.upkeep.backUp(world.now) == .notNeeded)
  }
}
