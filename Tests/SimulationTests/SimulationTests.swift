import Simulation
import Testing

/// Random lives of people and the monitors that watch over them; `make simulate` runs many more.
@Suite struct SimulationTests {
  @Test("Nobody is missed, told wrongly or told twice, whatever fails", arguments: 0..<4)
  func memory(part: UInt64) throws {
    for seed in part * 8..<(part + 1) * 8 {
      let outcome = try Simulation(Scenario(seed: seed)).run()
      #expect(outcome.violation == nil, "replay: simulate --seed \(seed) --verbose")
    }
  }

  @Test("Nor on the SQLite store", arguments: UInt64(0)..<2)
  func sqlite(seed: UInt64) throws {
    let scenario = Scenario(seed: seed, store: .sqlite)
    let outcome = try withTemporaryFolder { try Simulation(scenario).run(folder: $0) }
    #expect(outcome.violation == nil, "replay: simulate --seed \(seed) --store sqlite --verbose")
  }

  @Test("Every mistake that a monitor could make is noticed", arguments: Sabotage.allCases)
  func sabotage(_ sabotage: Sabotage) throws {
    let isNoticed = try (UInt64(0)..<40).contains { seed in
      try Simulation(Scenario(seed: seed), sabotage: sabotage).run().violation != nil
    }
    #expect(isNoticed)
  }

  @Test("One seed is one run")
  func determinism() throws {
    for seed: UInt64 in [3, 17, 40] {
      let first = try Simulation(Scenario(seed: seed)).run()
      #expect(first.sent > 0)
      #expect(try Simulation(Scenario(seed: seed)).run() == first)
    }
  }
}
