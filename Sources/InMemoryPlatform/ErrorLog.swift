import Clients
import Synchronization

/// The error log, as long as the process lives.
final class ErrorLog: Sendable {
  private static let limit = 1_000
  private let entries = Mutex<[LogEntry]>([])

  var client: ErrorLogger {
    ErrorLogger(
      write: { [self] entry in
        entries.withLock { entries in
          entries.append(entry)
          if entries.count > Self.limit { entries.removeFirst() }
        }
      },
      entries: { [self] level, limit in
        entries.withLock { Array($0.reversed().lazy.filter { $0.level >= level }.prefix(limit)) }
      })
  }
}
