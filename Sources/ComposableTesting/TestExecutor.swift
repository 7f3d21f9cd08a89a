import Composable
import Synchronization

/// Runs the effects of one test store on the main actor, one after the other, in the order in which
/// they become ready.
///
/// The test store drains the executor until nothing is ready, so everything an effect does has
/// happened before the test goes on, without yielding or sleeping. Child tasks, and plain actors
/// that an effect calls, run here too. The store waits for work that runs elsewhere: on an actor
/// with its own executor or in a detached task. If the test awaits something else in the meantime,
/// work that becomes ready runs as soon as the main actor is free.
package final class TestExecutor: TaskExecutor, EffectScheduler {
  private enum Entry {
    /// A job of a task.
    case job(UnownedJob)
    /// Work that an effect does on the store.
    case work(@MainActor @Sendable () -> Void, CheckedContinuation<Void, Never>)
  }

  private struct Contents {
    var entries: [Entry] = []
    var head = 0
    var isDraining = false
    /// Whether the test store will drain before it leaves the main actor.
    var callerWillDrain = false
    /// Whether a task that drains is already scheduled on the main actor.
    var isDrainScheduled = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let contents = Mutex(Contents())

  package init() {}

  // MARK: Effects

  package var executor: any TaskExecutor { self }

  package func enqueue(_ job: consuming ExecutorJob) {
    append(.job(UnownedJob(job)))
  }

  package func perform(_ work: @escaping @MainActor @Sendable () -> Void) async {
    await withCheckedContinuation { append(.work(work, $0)) }
  }

  private func append(_ entry: Entry) {
    let (waiting, mustSchedule) = contents.withLock { contents in
      contents.entries.append(entry)
      let isExpected =
        contents.waiting != nil || contents.isDraining || contents.callerWillDrain
        || contents.isDrainScheduled
      if !isExpected { contents.isDrainScheduled = true }
      defer { contents.waiting = nil }
      return (contents.waiting, !isExpected)
    }
    waiting?.resume(returning: true)
    if mustSchedule { Task { @MainActor in self.drain() } }
  }

  // MARK: Draining

  /// Called after the executor was drained.
  @MainActor package var onDrained: (() -> Void)?

  /// Performs work after which the caller drains the executor.
  @MainActor package func performBeforeDrain<Result>(_ work: () -> Result) -> Result {
    contents.withLock { $0.callerWillDrain = true }
    defer { contents.withLock { $0.callerWillDrain = false } }
    return work()
  }

  /// Runs everything that is ready or becomes ready, until nothing is left.
  @MainActor package func drain() {
    guard
      contents.withLock({ contents in
        defer { contents.isDraining = true }
        contents.isDrainScheduled = false
        return !contents.isDraining
      })
    else { return }
    while let entry = next() {
      switch entry {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .work(let work, let continuation):
        work()
        continuation.resume()
      }
    }
    onDrained?()
  }

  /// Returns the next entry. If there is none, ends draining and returns `nil`.
  private func next() -> Entry? {
    contents.withLock { contents in
      guard contents.head < contents.entries.count else {
        contents.entries.removeAll(keepingCapacity: true)
        contents.head = 0
        contents.isDraining = false
        return nil
      }
      defer { contents.head += 1 }
      return contents.entries[contents.head]
    }
  }

  /// Waits until work that ran elsewhere comes back.
  ///
  /// - Returns: Whether something is ready; `false` after the timeout.
  @MainActor package func waitForWork(atMost timeout: Duration) async -> Bool {
    let alarm = Task {
      try? await Task.sleep(for: timeout)
      guard !Task.isCancelled else { return }
      contents.withLock { contents in
        defer { contents.waiting = nil }
        return contents.waiting
      }?.resume(returning: false)
    }
    defer { alarm.cancel() }
    return await withCheckedContinuation { continuation in
      let isReady = contents.withLock { contents in
        if contents.head < contents.entries.count { return true }
        contents.waiting = continuation
        return false
      }
      if isReady { continuation.resume(returning: true) }
    }
  }
}

extension DependencyValues {
  /// The executor that runs the effects of a test store; `nil` elsewhere.
  var testExecutor: TestExecutor? {
    get { self[TestExecutorKey.self] }
    set { self[TestExecutorKey.self] = newValue }
  }

  private enum TestExecutorKey: TestDependencyKey {
    static let testValue: TestExecutor? = nil
  }
}
