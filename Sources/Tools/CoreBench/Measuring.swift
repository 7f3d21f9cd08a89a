import Benching

/// The results of one case.
struct Figures {
  /// The fastest sample, in nanoseconds per operation.
  var minimum: Double
  /// The median sample.
  var median: Double
  /// What the last sample cost, if work is counted.
  var work: Work?

  init(of samples: [Double], work: Work? = nil) {
    let sorted = samples.sorted()
    minimum = sorted[0]
    median = sorted[sorted.count / 2]
    self.work = work
  }
}

/// The number of samples per case.
let sampleCount = Bench.isCounting ? 1 : 9

/// Returns how many operations to make in a sample: few if they are counted rather than timed.
func operations(_ count: Int) -> Int { Bench.isCounting ? min(count, 50) : count }

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
  var work: Work?
  for sample in 0...sampleCount {
    let timer = Timer(counts: Bench.isCounting && sample > 0 ? count : nil)
    await run(timer)
    if sample > 0 { samples.append(timer.nanoseconds / Double(count)) }
    work = timer.work
  }
  return Figures(of: samples, work: work)
}

/// Measures part of a sample, so that its preparation doesn't count.
@MainActor
final class Timer {
  private(set) var nanoseconds = 0.0
  private(set) var work: Work?
  private let counts: Int?

  /// - Parameter counts: The number of operations whose work is counted; `nil` if it is timed.
  init(counts: Int?) { self.counts = counts }

  func callAsFunction(_ operations: @MainActor () async -> Void) async {
    if let counts { return work = await Work(of: counts) { await operations() } }
    let start = ContinuousClock.now
    await operations()
    nanoseconds += start.duration(to: .now) / .nanoseconds(1)
  }

  func callAsFunction(_ operations: @MainActor () -> Void) {
    if let counts { return work = Work(of: counts) { operations() } }
    let start = ContinuousClock.now
    operations()
    nanoseconds += start.duration(to: .now) / .nanoseconds(1)
  }
}
