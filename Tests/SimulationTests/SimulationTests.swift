import Simulation
import Testing

/// Random histories of people and the monitors that watch over them. `make simulate` and CI run
/// more of them, in a release build that takes a third of the time.
@Suite struct SimulationTests {
  /// The violations found, each with the command that replays it. Every tenth seed uses stores on
  /// disk, with a connection for each program.
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
  func lives() { #expect(failures(0..<50) == []) }

  /// Seeds that reveal mistakes which rarely show. If a seed stops working, the test tries others.
  private static let tellingSeeds: [Sabotage: UInt64] = [
    .keepFormerResponders: 47, .neverRepeat: 10, .overlookPretence: 13, .overlookSpool: 68,
    .overlookStops: 26,
  ]

  @Test("Every mistake that a monitor could make is noticed", arguments: Sabotage.allCases)
  func sabotage(_ sabotage: Sabotage) throws {
    let first = Self.tellingSeeds[sabotage] ?? 0
    // Two at a time, since most mistakes show in the first seeds.
    let isNoticed = try stride(from: UInt64(0), to: 150, by: 2).contains { number in
      try Simulation.runAll([(first + number) % 150, (first + number + 1) % 150]) { seed in
        Result { try Simulation(Scenario(seed: seed), sabotage: sabotage).run().violation != nil }
      }.contains { try $0.get() }
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
