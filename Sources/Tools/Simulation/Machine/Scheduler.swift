import Glibc
import Synchronization

/// Runs every task of a simulation on one thread, in the order in which they became ready, and
/// advances time when nothing is left to run. So one seed always gives the same run.
///
/// The store runs its jobs on the calling thread, so simulations can run in parallel.
package final class Scheduler: TaskExecutor {
  private typealias Sleep = CheckedContinuation<Void, any Error>

  private struct Alarm: Comparable {
    var deadline: Duration
    var sleep: UInt64

    static func < (left: Self, right: Self) -> Bool {
      (left.deadline, left.sleep) < (right.deadline, right.sleep)
    }
  }

  private struct Contents {
    var jobs: [UnownedJob] = []
    var head = 0
    /// The job that continues an indivisible call.
    var returned: UnownedJob?
    var undividedCalls = 0
    var now = Duration.zero
    var sleeps: [UInt64: Sleep] = [:]
    /// The ends of sleeps, including those of cancelled ones.
    var alarms = Heap<Alarm>()
    var lastSleep: UInt64 = 0
    var cancelledSleeps: Set<UInt64> = []
    var isEnding = false

    /// Advances time to the next end of a sleep.
    mutating func passTime() -> [Sleep] {
      var woken: [Sleep] = []
      while let alarm = alarms.first, woken.isEmpty || alarm.deadline <= now {
        _ = alarms.removeFirst()
        guard let sleep = sleeps.removeValue(forKey: alarm.sleep) else { continue }
        now = max(now, alarm.deadline)
        woken.append(sleep)
      }
      return woken
    }
  }

  private let contents = Mutex(Contents())
  private let thread = pthread_self()

  /// Creates a scheduler for the calling thread to run.
  package init() {}

  /// The time since the simulation started.
  var now: Duration { contents.withLock { $0.now } }

  /// Whether the calling thread is the simulation's.
  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

  package func enqueue(_ job: consuming ExecutorJob) {
    precondition(isCurrent)
    let job = UnownedJob(job)
    contents.withLock { contents in
      if contents.undividedCalls > 0 {
        precondition(contents.returned == nil, "two things at once in a call that nothing divides")
        contents.returned = job
      } else {
        contents.jobs.append(job)
      }
    }
  }

  /// Runs until there is nothing left to do, now or later, or until ``end()``.
  func run() {
    precondition(isCurrent)
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Makes ``run()`` return once all ready jobs have run. Sleeping tasks are woken with an error.
  func end() {
    let sleeps = contents.withLock { contents in
      contents.isEnding = true
      defer { contents.sleeps = [:] }
      return contents.sleeps.sorted { $0.key < $1.key }
    }
    for (_, sleep) in sleeps { sleep.resume(throwing: CancellationError()) }
  }

  /// Calls the store indivisibly, so that the caller can note the result before anything else
  /// happens.
  func atOnce<Value, Failure: Error>(
    _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    contents.withLock { $0.undividedCalls += 1 }
    defer { contents.withLock { $0.undividedCalls -= 1 } }
    return try await body()
  }

  private func next() -> UnownedJob? {
    while true {
      let (job, woken, isOver) = contents.withLock { contents -> (UnownedJob?, [Sleep], Bool) in
        if let returned = contents.returned.take() { return (returned, [], false) }
        precondition(contents.undividedCalls == 0, "a call that nothing divides waits")
        if contents.head < contents.jobs.count {
          contents.head += 1
          return (contents.jobs[contents.head - 1], [], false)
        }
        contents.jobs.removeAll(keepingCapacity: true)
        contents.head = 0
        let woken = contents.passTime()
        return (nil, woken, woken.isEmpty)
      }
      if let job { return job }
      if isOver { return nil }
      for sleep in woken { sleep.resume() }
    }
  }

  // MARK: Sleeping

  fileprivate func sleep(until deadline: Duration) async throws {
    try Task.checkCancellation()
    let id = contents.withLock { contents in
      contents.lastSleep += 1
      return contents.lastSleep
    }
    defer { contents.withLock { _ = $0.cancelledSleeps.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = contents.withLock { contents -> Result<Void, CancellationError>? in
          if contents.isEnding || contents.cancelledSleeps.contains(id) {
            return .failure(CancellationError())
          }
          if deadline <= contents.now { return .success(()) }
          contents.sleeps[id] = continuation
          contents.alarms.insert(Alarm(deadline: deadline, sleep: id))
          return nil
        }
        if let isOver { continuation.resume(with: isOver.mapError { $0 }) }
      }
    } onCancel: {
      let sleep = contents.withLock { contents -> Sleep? in
        guard let sleep = contents.sleeps.removeValue(forKey: id) else {
          contents.cancelledSleeps.insert(id)
          return nil
        }
        return sleep
      }
      sleep?.resume(throwing: CancellationError())
    }
  }
}

/// The simulated machine's monotonic clock, which stands still while tasks run.
package struct SimulatedClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset: Duration
    package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    package func duration(to other: Self) -> Duration { other.offset - offset }
    package static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  let scheduler: Scheduler

  package var now: Instant { Instant(offset: scheduler.now) }
  package var minimumResolution: Duration { .milliseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await scheduler.sleep(until: deadline.offset)
  }
}

/// A clock without sleep: whatever would wait for it gives up.
struct NoClock: Clock {
  var now: SimulatedClock.Instant { .init(offset: .zero) }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: SimulatedClock.Instant, tolerance: Duration?) async throws {
    throw CancellationError()
  }
}
