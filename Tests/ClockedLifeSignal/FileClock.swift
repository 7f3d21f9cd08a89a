import FoundationEssentials
import Glibc

/// A clock whose time is stored in a file and changes only when a test writes to it. Programs that
/// read the same file share the same time.
struct FileClock: Clock {
  /// Milliseconds since 1970.
  struct Instant: InstantProtocol {
    var milliseconds: Int64

    func advanced(by duration: Duration) -> Self {
      let (seconds, attoseconds) = duration.components
      return Self(
        milliseconds: milliseconds + seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    func duration(to other: Self) -> Duration { .milliseconds(other.milliseconds - milliseconds) }

    static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
  }

  private let descriptor: Int32

  /// - Parameter path: A file of eight bytes: the time in milliseconds since 1970, in native byte
  ///   order.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  var now: Instant {
    var milliseconds: Int64 = 0
    let count = pread(descriptor, &milliseconds, MemoryLayout<Int64>.size, 0)
    precondition(count == MemoryLayout<Int64>.size, "The clock's file is gone.")
    return Instant(milliseconds: milliseconds)
  }

  var date: Date { Date(timeIntervalSince1970: Double(now.milliseconds) / 1_000) }

  var minimumResolution: Duration { .milliseconds(1) }

  /// Polls the file until the deadline, since the test that moves the clock waits for the result.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    while now < deadline { try await Task.sleep(for: .milliseconds(5)) }
  }
}
