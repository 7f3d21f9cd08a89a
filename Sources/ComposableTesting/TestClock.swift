public import Composable
import Synchronization

/// A clock whose time changes only when the test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let store = TestStore(initialState: …) { … } withDependencies: { $0.continuousClock = clock }
/// await store.send(.started)
/// await clock.advance(by: .seconds(1))
/// await store.receive(.ticked)
/// ```
///
/// Moving the clock wakes sleeping tasks in the order of their deadlines. Between two deadlines,
/// the effects of the test stores that use the clock run until they are idle, so a task can sleep
/// again before the next one wakes. A task outside a test store runs only when the test waits for
/// it; see `waitForSleeps(_:)`.
public final class TestClock: Clock, Sendable {
  /// A time of the clock, measured from its start.
  public typealias Instant = ImmediateClock.Instant

  private struct Sleep {
    let id: UInt
    let deadline: Instant
    /// Where the sleeping effect was made; `nil` for a task outside a test store.
    let location: IssueLocation?
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Contents {
    var now: Instant
    var lastID: UInt = 0
    var sleeps: [Sleep] = []
    /// The ids of sleeps that were cancelled before they began.
    var cancelled: Set<UInt> = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var executors: [TestExecutor] = []
  }

  private let contents: Mutex<Contents>

  /// Creates a clock.
  public init(now: Instant = Instant()) { contents = Mutex(Contents(now: now)) }

  /// The current time of the clock.
  public var now: Instant { contents.withLock { $0.now } }

  /// The resolution of the clock: zero.
  public var minimumResolution: Duration { .zero }

  /// The deadlines of all sleeping tasks, earliest first.
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

  /// Moves the clock until no task is sleeping.
  ///
  /// With an endless timer that would never happen, so the clock stops after 1,000 deadlines and
  /// reports the tasks that are still sleeping. Use `advance(by:)` for such a timer.
  ///
  /// - Parameters:
  ///   - fileID: The module and file of the call.
  ///   - filePath: The path of the file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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

      A timer never ends by itself: move the clock with `advance(by:)`, and let the test end the timer.
      """,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Descriptions of the sleeping tasks, earliest deadline first: where the effect was made, and
  /// until when it sleeps.
  private var sleepers: [String] {
    contents.withLock { $0.sleeps.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) } }
      .map { "\($0.location?.description ?? "outside a test store"), until \($0.deadline.offset)" }
  }

  /// Waits until at least `count` tasks are sleeping on the clock. For a task outside a test store:
  /// wait for its sleep, then move the clock.
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

  /// Reports an issue if any task is still sleeping on the clock.
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

  /// Sets the time and wakes the tasks that are due, by deadline, then in the order in which they
  /// fell asleep.
  private func wake(at time: Instant) {
    let woken = contents.withLock { contents in
      contents.now = max(contents.now, time)
      let woken = contents.sleeps.filter { $0.deadline <= time }
      contents.sleeps.removeAll { $0.deadline <= time }
      return woken.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for sleep in woken { sleep.continuation.resume() }
  }

  /// Runs the effects of the test stores until they are idle.
  @MainActor private func settle() {
    for executor in contents.withLock({ $0.executors }) { executor.drain() }
  }
}
