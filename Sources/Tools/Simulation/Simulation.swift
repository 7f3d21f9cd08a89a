import Domain
import FoundationEssentials

/// A simulation of a few people and the monitors that watch over them, determined by its seed.
package struct Simulation {
  package struct Outcome: Equatable, Sendable {
    /// The broken rule and how it was broken; `nil` if all went well.
    package var violation: String?
    /// How many messages arrived, and how many of them were duplicates.
    package var sent: Int
    package var repeated: Int
    package var monitors: Int
    /// A hash that differs between runs that differ.
    package var fingerprint: UInt64
  }

  private let scenario: Scenario
  private let sabotage: Sabotage?

  package init(_ scenario: Scenario, sabotage: Sabotage? = nil) {
    self.scenario = scenario
    self.sabotage = sabotage
  }

  /// Runs the simulation on the calling thread, until its end or the first broken rule.
  /// - Parameters:
  ///   - folder: The folder for a SQLite store.
  ///   - trace: Receives each event as a line.
  package func run(
    folder: String = "", trace: (@Sendable (String) -> Void)? = nil
  ) throws -> Outcome {
    for zone in PersonSetTimes.Zone.allCases {
      ZoneRules(posix: zone.rule).map { ZoneData.use($0, for: zone.rawValue) }
    }
    let world = World(scenario, sabotage: sabotage, trace: trace)
    let store = try StoreUnderTest(world, folder: folder)
    let population = Population(world, store)
    let faults = FaultInjector(world: world, population: population, store: store)
    let scheduler = world.scheduler
    Task(executorPreference: scheduler) {
      await population.live()
    }
    Task(executorPreference: scheduler) {
      await world.wait(milliseconds: 1_000)
      await faults.run()
    }
    for _ in 0..<scenario.monitors {
      Task(executorPreference: scheduler) { await faults.keepMonitor() }
    }
    Task(executorPreference: scheduler) {
      while !world.isOver {
        await world.wait(milliseconds: 60_000)
        world.judgeWaiting()
      }
    }
    Task(executorPreference: scheduler) {
      try? await world.clock.sleep(until: .init(offset: world.end))
      guard !world.isOver else { return }
      faults.clear()
      world.endFaults()
      Task(executorPreference: scheduler) { await faults.keepMonitor() }
      let recovery = max(.zero, world.servers.value.allWellFrom - world.now)
      await world.wait(
        milliseconds: Int((scenario.bound + recovery + .seconds(120)).seconds * 1_000))
      world.judgeWork()
      await world.judgeLoad(store.load)
      world.finish()
    }
    scheduler.run()
    // Break the reference cycle with the world.
    defer {
      world.monitors.value = []
      population.end()
    }
    let counts = world.oracle.value.counts
    return Outcome(
      violation: world.oracle.value.violation.map { "\($0.rule): \($0.text)" }, sent: counts.sent,
      repeated: counts.repeated, monitors: world.monitors.value.count,
      fingerprint: world.fingerprint.value)
  }
}
