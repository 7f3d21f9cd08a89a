import Dispatch
import Synchronization

extension Simulation {
  /// Runs many simulations on all processors and returns what came of each, in their order.
  package static func runAll<Value: Sendable>(
    _ seeds: [UInt64], _ run: @Sendable (UInt64) -> Value
  ) -> [Value] {
    let results = Mutex([Value?](repeating: nil, count: seeds.count))
    // Each runs on one thread from its beginning to its end.
    DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
      let value = run(seeds[index])
      results.withLock { $0[index] = value }
    }
    return results.withLock { $0.map { $0! } }
  }
}
