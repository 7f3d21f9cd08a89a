import Glibc

/// Runs blocking work on a separate thread, so that it never holds one of the few that all tasks
/// share.
package enum OwnThread {
  /// Runs the work, and waits for the one result that it hands over; it can clean up afterwards.
  /// - Returns: `nil` if no thread could be started.
  package static func run<Result: Sendable>(
    _ work: @escaping @Sendable (_ handOver: (Result) -> Void) -> Void
  ) async -> Result? {
    await withCheckedContinuation { continuation in
      let job = Job { work { continuation.resume(returning: $0) } }
      let context = Unmanaged.passRetained(job)
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { context in
          Unmanaged<Job>.fromOpaque(context!).takeRetainedValue().body()
          return nil
        }, context.toOpaque())
      if code == 0 {
        pthread_detach(thread)
      } else {
        context.release()
        continuation.resume(returning: nil)
      }
    }
  }

  private final class Job {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}
