import Dispatch
import Glibc
import Synchronization

/// An executor that runs the jobs on its own thread, where they can wait for a disk or a network.
/// Dozens of stores wait at a time, while there are only as many shared threads as processors.
///
/// The thread starts with the first job, and ends with the executor. A task that prefers this
/// executor runs everything there that belongs to no other actor, and calls the store without a
/// change of thread.
package final class StoreThread: StoreExecutor, TaskExecutor {
  private let state = State()

  package init() {}
  deinit { state.end() }

  package func enqueue(_ job: consuming ExecutorJob) {
    var job: ExecutorJob? = job
    state.add(self) { $0.add(job.take()!) }
  }

  package func perform(_ order: StoreOrder, _ body: @escaping @Sendable () -> Void) {
    state.add(self) { $0.add(.body(body), order) }
  }

  package func makeTimer(_ body: @escaping @Sendable () -> Void) -> StoreTimer? {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(
      deadline: .now() + .milliseconds(250), repeating: .milliseconds(250),
      leeway: .milliseconds(50))
    let isWaiting = Atomic(false)
    timer.setEventHandler { [weak self] in
      // Only one tick waits behind a job that waits for the network.
      guard let self, !isWaiting.exchange(true, ordering: .relaxed) else { return }
      self.perform(.ordinary) {
        isWaiting.store(false, ordering: .relaxed)
        body()
      }
    }
    timer.activate()
    return StoreTimer(timer)
  }

  package func checkIsolated() { precondition(state.isOwnThread, "not on the store's thread") }

  /// The state of the thread. It must not hold the executor, because the thread ends with the
  /// executor.
  ///
  /// `@unchecked Sendable`: its variables are used within ``locked(_:)`` only, and its pointers are
  /// set once.
  private final class State: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs = StoreJobs()
    /// A reference for each job, which keeps the executor alive while the job waits or runs.
    private var holders: [StoreThread] = []
    private var thread: pthread_t?
    private var isOver = false

    init() {
      pthread_mutex_init(lock, nil)
      pthread_cond_init(changed, nil)
    }

    deinit {
      pthread_cond_destroy(changed)
      pthread_mutex_destroy(lock)
      changed.deallocate()
      lock.deallocate()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
      pthread_mutex_lock(lock)
      defer { pthread_mutex_unlock(lock) }
      return body()
    }

    var isOwnThread: Bool {
      locked { thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    func add(_ executor: StoreThread, _ add: (inout StoreJobs) -> Void) {
      locked {
        add(&jobs)
        holders.append(executor)
        if thread == nil { start() }
        pthread_cond_signal(changed)
      }
    }

    func end() {
      locked {
        isOver = true
        pthread_cond_signal(changed)
      }
    }

    private func start() {
      var started = pthread_t()
      let context = Unmanaged.passRetained(self).toOpaque()
      // A user with too many threads gets one later, as from libdispatch.
      while pthread_create(
        &started, nil,
        { state in
          Unmanaged<State>.fromOpaque(state!).takeRetainedValue().run()
          return nil
        }, context) != 0
      {
        sleep(1)
      }
      pthread_detach(started)
      thread = started
    }

    private func run() {
      while let (job, executor) = next() { job.run(on: executor) }
    }

    private func next() -> (StoreJobs.Job, StoreThread)? {
      locked {
        while true {
          if let job = jobs.next() { return (job, holders.removeLast()) }
          if isOver { return nil }
          pthread_cond_wait(changed, lock)
        }
      }
    }
  }
}
