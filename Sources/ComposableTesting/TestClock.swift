public import Composable
import Synchronization

/// A clock that stands still until the test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let store = TestStore(initialState: …) { … } withDependencies: { $0.continuousClock = clock }
/// await store.send(.started)
/// await clock.advance(by: .seconds(1))
/// await store.receive(.ticked)
/// ```
///
/// Moving it wakes the sleepers in the order of their deadlines, and each may go back to sleep
/// before the next wakes: between two deadlines all effects of the test stores whose effects sleep
/// on this clock run until they are idle. A task outside a test store runs when the test waits for
/// it: see `waitForSleeps(_:)`.
public final class TestClock: Clock, Sendable {
  /// A time of the clock, counted from its start.
  public typealias Instant = ImmediateClock.Instant

  private struct Sleep {
    let id: UInt
    let deadline: Instant
    /// Where the effect was made that sleeps, if it is one of a test store.
    let location: IssueLocation?
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Contents {
    var now: Instant
    var lastID: UInt = 0
    var sleeps: [Sleep] = []
    /// Sleeps that were cancelled before they began.
    var cancelled: Set<UInt> = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var executors: [TestExecutor] = []
  }

  private let contents: Mutex<Contents>

  /// Makes a clock.
  public init(now: Instant = Instant()) { contents = Mutex(Contents(now: now)) }

  /// The time.
  public var now: Instant { contents.withLock { $0.now } }

  /// The resolution.
  public var minimumResolution: Duration { .zero }

  /// The deadlines of all that sleep, earliest first.
  public var sleeps: [Instant] { contents.withLock { $0.sleeps.map(\.deadline).sorted() } }

  /// Sleeps until the test has moved the clock to the deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let executor = DependencyValues.current.testExecutor
    let id = contents.withLock { contents in
      if let executor, !contents.executors.contains(where: { $0 === executor }) {
        contents.executors.append(executor)
      }
      contents.lastID += 1
      return contents.lastID
    }
    defer { contents.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(
          Sleep(
            id: id, deadline: deadline, location: EffectLocation.current,
            continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the clock by a duration.
  @MainActor public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a time.
  @MainActor public func advance(to time: Instant) async {
    settle()
    while let deadline = sleeps.first, deadline <= time {
      wake(at: deadline)
      settle()
    }
    wake(at: time)
    settle()
  }

  /// Moves the clock until nobody sleeps.
  ///
  /// A timer without end would never let that come: after 1,000 deadlines it gives up, and reports who
  /// sleeps. Use `advance(by:)` for it.
  ///
  /// - Parameters:
  ///   - fileID: The module and file of the call.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  @MainActor public func run(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) async {
    settle()
    let limit = 1_000
    for _ in 0..<limit {
      guard let deadline = sleeps.first else { return }
      await advance(to: deadline)
    }
    let sleepers = sleepers
    guard !sleepers.isEmpty else { return }
    reportIssue(
      """
      The clock was moved to \(limit) deadlines, and \(sleepers.count) task(s) still sleep on it:

      \(sleepers.map { "  • \($0)" }.joined(separator: "\n"))

      A timer never ends by itself: move the clock by `advance(by:)`, and let the test end the timer.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Those who sleep, earliest first: the places of their effects, and until when.
  private var sleepers: [String] {
    contents.withLock { $0.sleeps.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) } }
      .map { "\($0.location?.description ?? "outside a test store"), until \($0.deadline.offset)" }
  }

  /// Waits until at least so many tasks sleep on the clock. For tasks outside a test store: wait
  /// for their sleep, then move the clock.
  public func waitForSleeps(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isReached = contents.withLock { contents in
        guard contents.sleeps.count < count else { return true }
        contents.waiting.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Reports an issue if somebody still sleeps on the clock.
  public func checkSleeps(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    let sleepers = sleepers
    guard !sleepers.isEmpty else { return }
    reportIssue(
      """
      \(sleepers.count) task(s) still sleep on the test clock:

      \(sleepers.map { "  • \($0)" }.joined(separator: "\n"))

      Advance the clock to let them end, or cancel them.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  // MARK: Sleeps

  private func begin(_ sleep: Sleep) {
    enum Outcome {
      case over
      case cancelled
      case asleep([CheckedContinuation<Void, Never>])
    }
    let outcome: Outcome = contents.withLock { contents in
      if contents.cancelled.remove(sleep.id) != nil { return .cancelled }
      if sleep.deadline <= contents.now { return .over }
      contents.sleeps.append(sleep)
      let count = contents.sleeps.count
      let reached = contents.waiting.filter { $0.count <= count }.map(\.continuation)
      contents.waiting.removeAll { $0.count <= count }
      return .asleep(reached)
    }
    switch outcome {
    case .over: sleep.continuation.resume()
    case .cancelled: sleep.continuation.resume(throwing: CancellationError())
    case .asleep(let reached): for continuation in reached { continuation.resume() }
    }
  }

  private func cancel(_ id: UInt) {
    let sleep = contents.withLock { contents -> Sleep? in
      guard let index = contents.sleeps.firstIndex(where: { $0.id == id }) else {
        contents.cancelled.insert(id)
        return nil
      }
      return contents.sleeps.remove(at: index)
    }
    sleep?.continuation.resume(throwing: CancellationError())
  }

  /// Moves to a time and wakes those whose deadline it is, in the order in which they fell asleep.
  private func wake(at time: Instant) {
    let woken = contents.withLock { contents in
      contents.now = max(contents.now, time)
      let woken = contents.sleeps.filter { $0.deadline <= time }
      contents.sleeps.removeAll { $0.deadline <= time }
      return woken.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for sleep in woken { sleep.continuation.resume() }
  }

  /// Lets the effects of the test stores run until they are idle.
  @MainActor private func settle() {
    for executor in contents.withLock({ $0.executors }) { executor.drain() }
  }
}
