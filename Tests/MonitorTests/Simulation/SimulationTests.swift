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

  @Test("In 40 simulations with faults nobody is missed, falsely alarmed or notified twice")
  func lives() { #expect(failures(0..<40) == []) }

  /// For each mistake a seed that reveals it soon. If one stops working, the test tries others.
  private static let tellingSeeds: [Sabotage: UInt64] = [
    .dropDelivery: 9, .recordBeforeSending: 4, .forgetAllClear: 3, .sendTwice: 0, .fireEarly: 0,
    .ignoreCancellation: 4, .neverRetry: 4, .ignoreRefusals: 109, .forgetAmbiguity: 4,
    .neverRenew: 9, .forgetLease: 0, .overlookDuress: 4, .overlookOwner: 2,
    .overlookManualAlerts: 2, .keepFormerResponders: 20, .neverRepeat: 2,
    .overlookAcknowledgements: 10, .overlookPretence: 46, .forgetArmedAlerts: 18, .overlookStops: 8,
    .overlookSpool: 18, .neverRest: 0, .countFromReceipt: 11, .endAlertAlways: 83, .freezeAge: 46,
    .trustWallClock: 46, .forgetKept: 4, .mergeKept: 4, .serveEarly: 32, .openEarly: 44,
    .overlookClockChange: 5, .useAnotherZone: 28, .overlookPauseEnd: 14, .overlookSetTimes: 5,
    .remindBeforeOpening: 6, .overlookWaits: 10, .takeTriedForSent: 4, .waitInEveryAlert: 4,
    .overlookResponses: 11, .delayRunningAlert: 46, .overlookOutings: 16, .endOutingAtCheckIn: 17,
    .overlookChoice: 20, .overlookHold: 17, .overlookOutingGrace: 16, .overlookExtensions: 17,
    .forgetOutingReminders: 16, .extendWithoutGate: 20, .trustSigns: 1,
  ]

  @Test(
    "The simulation detects every kind of mistake that a monitor could make",
    arguments: Sabotage.allCases)
  func sabotage(_ sabotage: Sabotage) throws {
    let seeds = [Self.tellingSeeds[sabotage] ?? 0] + Array(0..<150)
    let isNoticed = try seeds.contains { seed in
      try Simulation(Scenario(seed: seed), sabotage: sabotage).run().violation != nil
    }
    #expect(isNoticed)
  }

  @Test("A simulation's seed always gives the same run, also beside other simulations")
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
