/// What one case of the table takes.
struct Figures {
  /// The fastest sample, in nanoseconds per operation.
  var minimum: Double
  /// The sample in the middle.
  var median: Double

  init(of samples: [Double]) {
    let sorted = samples.sorted()
    minimum = sorted[0]
    median = sorted[sorted.count / 2]
  }
}

/// How often each case is measured.
let sampleCount = 9

/// Measures one operation in samples of many, after one that is not counted.
///
/// - Parameters:
///   - count: How many operations a sample has; the closure makes that many.
///   - run: Prepares what is needed, then hands the operations to the function that it is given.
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

/// Takes the time of a part of a sample, so that its preparation does not count.
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
