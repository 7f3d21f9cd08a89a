import Dispatch
import Synchronization

/// Runs the jobs of one store one after another, on a thread that may wait for a disk; those of high
/// priority before all others, and otherwise in the order in which they came.
final class StoreQueue: SerialExecutor {
  private struct Jobs {
    var urgent: ArraySlice<UnownedJob> = []
    var others: ArraySlice<UnownedJob> = []
  }

  let queue = DispatchQueue(label: "lifesignal.store", qos: .userInitiated)
  private let jobs = Mutex(Jobs())

  func enqueue(_ job: consuming ExecutorJob) {
    let isUrgent = job.priority.rawValue >= TaskPriority.high.rawValue
    let job = UnownedJob(job)
    jobs.withLock { jobs in
      if isUrgent { jobs.urgent.append(job) } else { jobs.others.append(job) }
    }
    queue.async { self.runNext() }
  }

  private func runNext() {
    let job = jobs.withLock { $0.urgent.popFirst() ?? $0.others.popFirst() }
    job?.runSynchronously(on: asUnownedSerialExecutor())
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
