/// The results of one case.
struct Figures {
  /// The fastest sample, in nanoseconds per operation.
  var minimum: Double
  /// The median sample.
  var median: Double

  init(of samples: [Double]) {
    let sorted = samples.sorted()
    minimum = sorted[0]
    median = sorted[sorted.count / 2]
  }
}

/// The number of samples per case.
let sampleCount = 9

/// Measures an operation in samples of many, after a first sample that doesn't count.
///
/// - Parameters:
///   - count: The number of operations in a sample, which the closure must make.
///   - run: Prepares a sample, then passes the operations to the given function.
@MainActor
func measure(
  _ count: Int, _ run: @MainActor (_ timed: Timer) async -> Void
) async -> Figures {
  var samples: [Double] = []
  for sample in 0...sampleCount {
    let timer = Timer()
    await run(timer)
    if sample > 0 { samples.append(timer.nanoseconds / Double(count)) }
  }
  return Figures(of: samples)
}

/// Measures part of a sample, so that its preparation doesn't count.
@MainActor
final class Timer {
  private(set) var nanoseconds = 0.0

  func callAsFunction(_ operations: @MainActor () async -> Void) async {
    let start = ContinuousClock.now
    await operations()
    nanoseconds += start.duration(to: .now) / .nanoseconds(1)
  }

  func callAsFunction(_ operations: @MainActor () -> Void) {
    let start = ContinuousClock.now
    operations()
    nanoseconds += start.duration(to: .now) / .nanoseconds(1)
  }
}
