import Clients
import Synchronization

/// An error log that lasts as long as the process.
final class MemoryErrorLog: Sendable {
  private static let limit = 1_000

  private struct Contents {
    var entries: [LogEntry] = []
    /// The number of entries that were dropped before these.
    var dropped = 0
    /// The number of entries that needn't be sent any more, including the dropped ones.
    var sent = 0
    /// The program that is sending them.
    var sender: Int?
    var senders = 0
  }

  private let contents = Mutex(Contents())

  var client: ErrorLogger {
    ErrorLogger(
      write: { [self] entry in
        contents.withLock { contents in
          contents.entries.append(entry)
          guard contents.entries.count > Self.limit else { return }
          contents.entries.removeFirst()
          contents.dropped += 1
        }
      },
      entries: { [self] level, limit in
        contents.withLock {
          Array($0.entries.reversed().lazy.filter { $0.level >= level }.prefix(limit))
        }
      })
  }

  /// Returns the entries that weren't sent yet, for one program in front of the store.
  func makeOutbox() -> LogOutboxClient {
    let own = contents.withLock { contents in
      contents.senders += 1
      return contents.senders
    }
    return LogOutboxClient {
      $0.claim = { [self] in
        contents.withLock { contents in
          guard contents.sender == nil else { return false }
          contents.sender = own
          return true
        }
      }
      $0.next = { [self] limit in
        contents.withLock { contents in
          let start = max(contents.sent, contents.dropped)
          let entries = contents.entries.dropFirst(start - contents.dropped).prefix(limit)
          guard !entries.isEmpty else { return nil }
          return LogBatch(
            entries: Array(entries), start: LogPlace(file: "memory", offset: start),
            end: LogPlace(file: "memory", offset: start + entries.count))
        }
      }
      $0.markSent = { [self] batch async throws(StorageError) in
        contents.withLock { $0.sent = batch.end.offset }
      }
      $0.release = { [self] in
        contents.withLock { if $0.sender == own { $0.sender = nil } }
      }
    }
  }
}
