import Dispatch

/// An executor that runs jobs one after another on a thread that can wait for a disk.
final class FileQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "lifesignal.files", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
