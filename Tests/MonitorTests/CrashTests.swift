import Clients
import Domain
import FoundationEssentials
import SQLite
import Testing

@testable import Monitor

/// A monitor that dies at each point of a round in turn (ESC-3).
@MainActor @Suite struct CrashTests {
  /// Lets a monitor die at a point of a round, waits until its leases expire, and starts another.
  private func dieAndRestart(at point: Int, in world: World) async throws -> Crash {
    let crash = Crash(at: point)
    _ = await world.monitor(dyingAt: crash).runOnce()
    guard crash.isDead else { return crash }
    try await world.advance(to: world.now + .seconds(91))
    _ = await world.monitor().runOnce()
    return crash
  }

  /// Checks that everyone was notified, and that only a message that was sent but not recorded
  /// arrived twice, with the same identifier.
  private func check(_ arrivals: [Mailbox.Arrival], _ names: [String], _ crash: Crash) {
    let death = crash.deathCall ?? "alive"
    for name in names {
      let messages = arrivals.filter { $0.name == name }
      #expect(!messages.isEmpty, "\(death): \(name) was forgotten")
      #expect(Set(messages.map(\.messageID)).count == 1, "\(death): two messages, not one twice")
    }
    #expect(arrivals.count == names.count + crash.unrecorded.count, "\(death)")
    #expect(crash.isDead || crash.unrecorded.isEmpty)
  }

  @Test("ESC-3: if a monitor dies at any point of notifying, the next one notifies every responder")
  func telling() async throws {
    let names = ["Bob", "Cyd", "Dan"]
    var deaths: [String] = []
    for point in 1... {
      let world = World()
      try await world.openAccount(responders: names)
      try await world.advance(to: world.deadline + .minutes(15))
      let crash = try await dieAndRestart(at: point, in: world)
      check(world.mailbox.arrivals, names, crash)
      #expect(world.mailbox.arrivals.allSatisfy { $0.stage == .nonResponsive })
      #expect(try await world.clients.alertClient.history(9).count == 1)
      guard let death = crash.deathCall else { break }
      deaths.append(death)
    }
    for step in ["apply", "claim", "send", "record"] {
      #expect(deaths.contains("before \(step)") && deaths.contains("after \(step)"))
    }
  }

  @Test("ESC-3: if a monitor dies at any point of the all-clear, everyone who was notified gets it")
  func allClear() async throws {
    let names = ["Bob", "Cyd"]
    for point in 1... {
      let world = World()
      try await world.openAccount(responders: names)
      try await world.advance(to: world.deadline + .minutes(15))
      _ = await world.monitor().runOnce()
      #expect(world.mailbox.arrivals.count == 2)
      _ = try await world.clients.checkInClient.checkIn(.manual)
      let crash = try await dieAndRestart(at: point, in: world)
      let arrivals = Array(world.mailbox.arrivals.dropFirst(2))
      #expect(arrivals.allSatisfy { $0.stage == .allClear })
      check(arrivals, names, crash)
      if !crash.isDead { break }
    }
  }

  @Test("CHK-6: if a monitor dies and the person checks in, everyone notified gets one all-clear")
  func backAfterCrash() async throws {
    for point in 1... {
      let world = World()
      try await world.openAccount(responders: ["Bob", "Cyd"])
      try await world.advance(to: world.deadline + .minutes(15))
      let crash = Crash(at: point)
      _ = await world.monitor(dyingAt: crash).runOnce()
      let told = Set(world.mailbox.arrivals.map(\.name))
      _ = try await world.clients.checkInClient.checkIn(.manual)
      for _ in 0..<3 {
        try await world.advance(to: world.now + .seconds(91))
        _ = await world.monitor().runOnce()
      }
      let allClear = world.mailbox.arrivals.filter { $0.stage == .allClear }.map(\.name)
      let death = crash.deathCall ?? "nothing"
      #expect(told.isSubset(of: allClear), "\(death)")
      #expect(Set(allClear).count == allClear.count, "\(death)")
      #expect(
        world.mailbox.arrivals.count { $0.stage == .nonResponsive } == told.count,
        "\(death): nobody is alarmed after the end")
      if !crash.isDead { break }
    }
  }

  @Test("ESC-3: four monitors that run at once send each message exactly once")
  func twoMonitors() async throws {
    let world = World()
    try await world.openAccount(responders: ["Bob", "Cyd"])
    for number in 0..<20 {
      _ = try await world.platform.openFurtherAccount(
        .named("Person", responders: ["Responder" + String(repeating: "x", count: number)]))
    }
    try await world.advance(to: world.deadline + .minutes(15))
    let monitors = (0..<4).map { _ in world.monitor() }
    await withTaskGroup(of: Void.self) { group in
      for monitor in monitors { group.addTask { _ = await monitor.runOnce() } }
    }
    #expect(world.mailbox.arrivals.count { $0.stage != .contactAdded } == 22)
    #expect(Set(world.mailbox.arrivals.map(\.messageID)).count == world.mailbox.arrivals.count)
  }
}
