import Simulation
import Testing

/// Random lives of people and the monitors that watch over them; `make simulate` runs many more.
@Suite struct SimulationTests {
  /// What broke a rule, with the command that replays it. Every tenth seed lives in files, with a
  /// connection for each program.
  private func failures(_ seeds: Range<UInt64>) -> [String] {
    Simulation.runAll(Array(seeds)) { seed -> String? in
      let store: Scenario.Store = seed % 10 == 9 ? .files : .memory
      let result = Result {
        try withTemporaryFolder {
          try Simulation(Scenario(seed: seed, store: store)).run(folder: $0)
        }
      }
      let failure = result.map(\.violation)
      if case .success(nil) = failure { return nil }
      return "\(failure), replay: simulate --seed \(seed) --store \(store.rawValue) --verbose"
    }.compactMap { $0 }
  }

  @Test("Nobody is missed, told wrongly or told twice, whatever fails")
  func lives() { #expect(failures(0..<200) == []) }

  @Test("Every mistake that a monitor could make is noticed", arguments: Sabotage.allCases)
  func sabotage(_ sabotage: Sabotage) throws {
    let isNoticed = try (UInt64(0)..<150).contains { seed in
      try Simulation(Scenario(seed: seed), sabotage: sabotage).run().violation != nil
    }
    #expect(isNoticed)
  }

  @Test("One seed is one run, whatever runs beside it")
  func determinism() throws {
    let seeds: [UInt64] = [3, 17, 40]
    let alone = try seeds.map { try Simulation(Scenario(seed: $0)).run() }
    #expect(alone.map(\.sent).min() ?? 0 > 0)
    let together = Simulation.runAll(seeds) { seed in
      Result { try Simulation(Scenario(seed: seed)).run() }
    }
    #expect(try together.map { try $0.get() } == alone)
  }
}
