import Dispatch
import Synchronization

extension Simulation {
  /// Runs many simulations and returns what came of each, in their order: those in memory on all
  /// processors, those on SQLite, which has threads of its own, one after the other.
  package static func runAll<Value: Sendable>(
    _ seeds: [UInt64], on store: Scenario.Store = .memory, _ run: @Sendable (UInt64) -> Value
  ) -> [Value] {
    guard store == .memory else { return seeds.map(run) }
    let results = Mutex([Value?](repeating: nil, count: seeds.count))
    // Each runs on one thread from its beginning to its end.
    DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
      let value = run(seeds[index])
      results.withLock { $0[index] = value }
    }
    return results.withLock { $0.map { $0! } }
  }
}
