import Clients
import Glibc
import Store

/// The error log as a file of JSON lines that only its owner can read (`errors.jsonl` in the state
/// folder), with the file before it.
///
/// Every line is one `write` at the end of the file, so that the lines of several processes don't
/// mix.
struct ErrorLogFile: Sendable {
  let path: String
  /// The size in bytes at which a new file begins. Of those before, only the last is kept.
  var limit = 256 * 1_024

  var previous: String { path + ".1" }

  /// Adds a line. One that can't be written is lost, because a log must not get in anyone's way.
  func append(_ entry: LogEntry) {
    if case .file(let size)? = try? PrivateFiles.entry(path), size >= limit {
      rename(path, previous)
    }
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = Array((entry.jsonLine + "\n").utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Returns entries, newest first. A line that isn't ours or was cut off is left out.
  func entries(from level: LogLevel, limit: Int) -> [LogEntry] {
    var entries: [LogEntry] = []
    for path in [path, previous] {
      guard entries.count < limit, let bytes = try? PrivateFiles.contents(of: path) else {
        continue
      }
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").reversed() {
        guard entries.count < limit else { break }
        guard let entry = LogEntry(jsonLine: line), entry.level >= level else { continue }
        entries.append(entry)
      }
    }
    return entries
  }
}

extension ErrorLogger {
  /// Returns a logger that works on the store's executor, because files block.
  static func file(_ file: ErrorLogFile, _ store: Store) -> ErrorLogger {
    ErrorLogger(
      write: { entry in await store.perform { file.append(entry) } },
      entries: { level, limit in
        await store.perform { file.entries(from: level, limit: limit) }
      })
  }
}
