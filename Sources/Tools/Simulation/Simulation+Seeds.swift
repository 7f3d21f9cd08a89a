import Dispatch
import Synchronization

extension Simulation {
  /// Runs a simulation for each seed, on all processors, and returns the results in order.
  package static func runAll<Value: Sendable>(
    _ seeds: [UInt64], _ run: @Sendable (UInt64) -> Value
  ) -> [Value] {
    let results = Mutex([Value?](repeating: nil, count: seeds.count))
    // Each runs on one thread from start to end.
    DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
      let value = run(seeds[index])
      results.withLock { $0[index] = value }
    }
    return results.withLock { $0.map { $0! } }
  }
}
