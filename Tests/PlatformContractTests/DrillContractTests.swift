import Clients
import Domain
import FoundationEssentials
import Testing

@Suite("ALT-6: drills", .timeLimit(.minutes(1)))
struct DrillContractTests {
  @Test("ALT-6: a drill is on beside everything else, one at a time", arguments: Platform.allCases)
  func begin(_ platform: Platform) async throws {
    let world = try World(platform)
    let user = try await world.openAccount()
    let drill = try await world.alerts.drill()
    #expect(drill.kind == .drill)
    #expect(drill.isActive)
    #expect(try await world.alerts.drill() == drill)
    #expect(try await world.alerts.history(5).map(\.alert) == [drill])
    // No emergency, and no obstacle to one.
    #expect(user.status(at: world.now, alerts: [drill]) == .ok)
    await expect(AlertError.notActive, world.alerts.cancel)
    let alert = try await world.alerts.raise("meant")
    #expect(try await world.dueAccount().alerts.map(\.kind) == [.drill, .manual])
    #expect(try await world.alerts.cancel().id == alert.id)
    #expect(try await world.alerts.drill() == drill)
  }

  @Test("ALT-6: a check-in does not end a drill", arguments: Platform.allCases)
  func checkIn(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let drill = try await world.alerts.drill()
    _ = try await world.checkIn.checkIn(.manual)
    #expect(try await world.alerts.history(5).map(\.alert) == [drill])
  }

  @Test("ALT-6: the person can end a drill", arguments: Platform.allCases)
  func end(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    await expect(AlertError.notActive, world.alerts.endDrill)
    let drill = try await world.alerts.drill()
    world.advance(.minutes(1))
    let ended = try await world.alerts.endDrill()
    #expect(ended.id == drill.id)
    #expect(ended.resolvedAt == world.now)
    await expect(AlertError.notActive, world.alerts.endDrill)
    #expect(try await world.alerts.drill().id != drill.id)
    let told = try await world.list()
    #expect(told.map(\.kind) == [.drillFailed])
    #expect(told.first?.detail == "Drill: there was nobody to tell.")
  }

  @Test(
    "ALT-6: a plan ends a drill, with a report of how fast it was", arguments: Platform.allCases)
  func report(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount(responders: [.bo])
    let bo = try await world.contacts.contacts()[0]
    let drill = try await world.alerts.drill()
    var word = PlannedDelivery.alertOn(drill, to: bo)
    word.stage = .alertOn
    try await world.apply(Plan(deliveries: [word]))
    world.advance(.seconds(3))
    let claimed = try await world.monitor.claim(world.now, .seconds(60), ClaimRequest(limit: 1))[0]
    #expect(claimed.alert?.kind == .drill)
    _ = try await world.monitor.record(claimed.id, claimed.token, .sent, nil, world.now)
    try await world.apply(Plan(endedDrills: [drill.id], nextLook: world.now))
    try await world.apply(Plan(endedDrills: [drill.id]))

    let alert = try #require(try await world.alerts.history(5).first)
    #expect(alert.alert.resolvedAt == world.now)
    let report = DrillReport(alert)
    #expect(report.isEverybodyTold)
    #expect(report.lines.map(\.duration) == [.seconds(3)])
    let told = try await world.list()
    #expect(told.map(\.kind) == [.drillPassed])
    #expect(told.first?.detail == "Drill: your responder was told, within 3 s.")
  }

  @Test("A plan ends no alert that is meant", arguments: Platform.allCases)
  func real(_ platform: Platform) async throws {
    let world = try World(platform)
    try await world.openAccount()
    let alert = try await world.alerts.raise("")
    try await world.apply(Plan(endedDrills: [alert.id]))
    #expect(try await world.alerts.history(5).map(\.alert) == [alert])
  }
}
