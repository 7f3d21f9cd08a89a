import Dispatch
import Glibc
import Synchronization

/// An executor that runs the jobs of a store one after another.
package protocol StoreExecutor: SerialExecutor {
  /// Runs the body as one of the jobs.
  func perform(_ order: StoreOrder, _ body: @escaping @Sendable () -> Void)
  /// Runs the body four times a second until the timer is released. Returns `nil` if only this
  /// process can change the store.
  func makeTimer(_ body: @escaping @Sendable () -> Void) -> StoreTimer?
}

/// The priority of a job that waits.
package enum StoreOrder {
  case urgent, ordinary
  /// For observers: what a person asks for, an alert above all, never waits for them.
  case idle
}

/// The jobs that wait, in their order.
struct StoreJobs {
  enum Job {
    case task(UnownedJob)
    case body(@Sendable () -> Void)

    func run(on executor: some StoreExecutor) {
      switch self {
      case .task(let job): job.runSynchronously(on: executor.asUnownedSerialExecutor())
      case .body(let body): body()
      }
    }

    func run(on executor: some StoreExecutor & TaskExecutor) {
      switch self {
      case .task(let job):
        job.runSynchronously(
          isolatedTo: executor.asUnownedSerialExecutor(),
          taskExecutor: executor.asUnownedTaskExecutor())
      case .body(let body): body()
      }
    }
  }

  /// Jobs of one priority. A job that is taken is released at once, because it may hold the store.
  private struct Line {
    private var jobs: [Job?] = []
    private var head = 0

    mutating func add(_ job: Job) { jobs.append(job) }

    mutating func next() -> Job? {
      guard head < jobs.count else { return nil }
      defer {
        head += 1
        if head == jobs.count {
          jobs.removeAll(keepingCapacity: true)
          head = 0
        }
      }
      return jobs[head].take()
    }
  }

  private var urgent = Line()
  private var ordinary = Line()
  private var idle = Line()

  mutating func add(_ job: Job, _ order: StoreOrder) {
    switch order {
    case .urgent: urgent.add(job)
    case .ordinary: ordinary.add(job)
    case .idle: idle.add(job)
    }
  }

  mutating func add(_ job: consuming ExecutorJob) {
    let isUrgent = job.priority.rawValue >= TaskPriority.high.rawValue
    add(.task(UnownedJob(job)), isUrgent ? .urgent : .ordinary)
  }

  mutating func next() -> Job? { urgent.next() ?? ordinary.next() ?? idle.next() }
}

/// An executor that runs the jobs on the caller's thread, before the call returns: a store in
/// memory never waits, and a test or a simulation sees everything in the order in which it
/// happened.
///
/// A thread that calls while another one runs a job leaves its own job to that one, and neither
/// waits.
package final class CallersThread: StoreExecutor {
  package init() {}

  private struct Contents {
    var jobs = StoreJobs()
    /// The thread that is running the jobs.
    var runner: pthread_t?
  }

  private let contents = Mutex(Contents())

  package func enqueue(_ job: consuming ExecutorJob) {
    // A job may hold the last reference to this.
    let own = Unmanaged.passRetained(self)
    defer { own.release() }
    var job: ExecutorJob? = job
    contents.withLock { $0.jobs.add(job.take()!) }
    run()
  }

  package func perform(_ order: StoreOrder, _ body: @escaping @Sendable () -> Void) {
    let own = Unmanaged.passRetained(self)
    defer { own.release() }
    contents.withLock { $0.jobs.add(.body(body), order) }
    run()
  }

  private func run() {
    let isFirst = contents.withLock { contents in
      guard contents.runner == nil else { return false }
      contents.runner = pthread_self()
      return true
    }
    guard isFirst else { return }
    while let job = next() { job.run(on: self) }
  }

  private func next() -> StoreJobs.Job? {
    contents.withLock { contents in
      let job = contents.jobs.next()
      if job == nil { contents.runner = nil }
      return job
    }
  }

  package func makeTimer(_ body: @escaping @Sendable () -> Void) -> StoreTimer? { nil }

  package func checkIsolated() {
    let isRunner = contents.withLock { contents in
      contents.runner.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
    precondition(isRunner, "not on the store's thread")
  }
}

/// A repeating timer, cancelled when it is released.
package final class StoreTimer {
  private let timer: any DispatchSourceTimer
  init(_ timer: any DispatchSourceTimer) { self.timer = timer }
  deinit { timer.cancel() }
}
