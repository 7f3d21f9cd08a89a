import Dispatch

/// Runs the jobs of one store one after another, on a thread that may wait for a disk.
final class StoreQueue: SerialExecutor {
  let queue = DispatchQueue(label: "lifesignal.store", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
