import Glibc

/// Runs work that blocks on a thread of its own, so that it never holds one of the few that all
/// tasks share.
package enum OwnThread {
  /// Waits for the one result that the work hands over; it may tidy up afterwards.
  /// - Returns: `nil` when no thread could be started.
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
