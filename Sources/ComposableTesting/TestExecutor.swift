import Composable
import Synchronization

/// Runs the effects of one test store, one after the other, on the main actor, in the order in which
/// they became ready.
///
/// A test store drains the executor until nothing is ready. So what an effect does is over before the
/// test goes on, without yielding or sleeping. Child tasks and plain actors that an effect calls run
/// here, too. What runs elsewhere – an actor with an executor of its own, a detached task – is waited
/// for; and if the test waits for something else in the meantime, what becomes ready runs as soon as the
/// main actor is free.
package final class TestExecutor: TaskExecutor, EffectScheduler {
  private enum Entry {
    /// A part of a task.
    case job(UnownedJob)
    /// Work of an effect on the store.
    case work(@MainActor @Sendable () -> Void, CheckedContinuation<Void, Never>)
  }

  private struct Contents {
    var entries: [Entry] = []
    var head = 0
    var isDraining = false
    /// Whether the test store will drain before it gives the main actor away.
    var isAttended = false
    /// Whether draining is planned for when the main actor is free.
    var isPlanned = false
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
    let (waiting, isToBePlanned) = contents.withLock { contents in
      contents.entries.append(entry)
      let isExpected =
        contents.waiting != nil || contents.isDraining || contents.isAttended || contents.isPlanned
      if !isExpected { contents.isPlanned = true }
      defer { contents.waiting = nil }
      return (contents.waiting, !isExpected)
    }
    waiting?.resume(returning: true)
    if isToBePlanned { Task { @MainActor in self.drain() } }
  }

  // MARK: The test

  /// Told when the executor was drained.
  @MainActor package var onDrained: (() -> Void)?

  /// Does work after which the caller drains.
  @MainActor package func attend<Result>(_ work: () -> Result) -> Result {
    contents.withLock { $0.isAttended = true }
    defer { contents.withLock { $0.isAttended = false } }
    return work()
  }

  /// Runs what is ready, and what becomes ready by that, until nothing is.
  @MainActor package func drain() {
    guard
      contents.withLock({ contents in
        defer { contents.isDraining = true }
        contents.isPlanned = false
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

  /// The next entry; when there is none, draining is over.
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

  /// Waits until something is ready that ran elsewhere before.
  ///
  /// - Returns: Whether something is ready; `false` when the time is over.
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
  /// The executor on which the effects here run, in a test store.
  var testExecutor: TestExecutor? {
    get { self[TestExecutorKey.self] }
    set { self[TestExecutorKey.self] = newValue }
  }

  private enum TestExecutorKey: TestDependencyKey {
    static let testValue: TestExecutor? = nil
  }
}
