import Domain
import FoundationEssentials

/// One seed's life of a few people and the monitors that watch over them.
package struct Simulation {
  package struct Outcome: Equatable, Sendable {
    /// The rule that was broken, and how; `nil` where all went well.
    package var violation: String?
    /// How many messages arrived, and how many of them not for the first time.
    package var sent: Int
    package var repeated: Int
    package var monitors: Int
    /// A number that differs where two runs differ.
    package var fingerprint: UInt64
  }

  private let scenario: Scenario
  private let sabotage: Sabotage?

  package init(_ scenario: Scenario, sabotage: Sabotage? = nil) {
    self.scenario = scenario
    self.sabotage = sabotage
  }

  /// Runs it on the calling thread to its end, or to the first rule that is broken.
  /// - Parameters:
  ///   - folder: Where a SQLite store is made.
  ///   - trace: What happens, line by line.
  package func run(
    folder: String = "", trace: (@Sendable (String) -> Void)? = nil
  ) throws -> Outcome {
    let world = World(scenario, sabotage: sabotage, trace: trace)
    let store = try StoreUnderTest(world, folder: folder)
    let town = Town(world, store)
    let weather = Weather(world: world, town: town, store: store)
    let scheduler = world.scheduler
    Task(executorPreference: scheduler) {
      await town.live()
    }
    Task(executorPreference: scheduler) {
      await world.wait(milliseconds: 1_000)
      await weather.blow()
    }
    for _ in 0..<scenario.monitors {
      Task(executorPreference: scheduler) { await weather.keepMonitor() }
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
      weather.clear()
      world.settle()
      Task(executorPreference: scheduler) { await weather.keepMonitor() }
      await world.wait(milliseconds: Int((scenario.bound + .seconds(120)).seconds * 1_000))
      world.judgeWork()
      await world.judgeLoad(store.load)
      world.finish()
    }
    scheduler.run()
    // They hold the world that holds them.
    defer {
      world.monitors.value = []
      town.end()
    }
    let counts = world.oracle.value.counts
    return Outcome(
      violation: world.oracle.value.violation.map { "\($0.rule): \($0.text)" }, sent: counts.sent,
      repeated: counts.repeated, monitors: world.monitors.value.count,
      fingerprint: world.fingerprint.value)
  }
}
