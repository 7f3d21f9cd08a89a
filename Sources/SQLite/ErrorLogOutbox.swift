import Clients
import FoundationEssentials
import Glibc
import Store

/// The part of the error log that wasn't sent yet. It reads the two files that ``ErrorLogFile``
/// writes; a third says where the next lines begin (`errors.sent` in the state folder).
final class ErrorLogOutbox: Sendable {
  /// The number of bytes that are read at once; a line is much shorter.
  static let chunk = 48 * 1_024

  private let log: ErrorLogFile
  private let lock: OwnerLock
  private var placePath: String { log.path.replacing(/jsonl$/, with: "sent") }

  init(_ log: ErrorLogFile) {
    self.log = log
    lock = OwnerLock(path: log.path.replacing(/jsonl$/, with: "lock"))
  }

  func claim() -> Bool { lock.take() }
  func release() { lock.give() }

  func next(_ limit: Int) -> LogBatch? {
    // Lines that were rotated away before they could be sent are lost.
    let parts = [log.previous, log.path].compactMap(LogPart.init)
    let saved = place
    let first = parts.firstIndex { $0.name == saved?.file } ?? 0
    for (index, part) in parts.enumerated().dropFirst(first) {
      let known = part.name == saved?.file ? saved?.offset ?? 0 : 0
      // An unfinished line will be finished, unless its file has been rotated away.
      if let batch = part.batch(from: known, limit: limit, isLast: index == parts.count - 1) {
        return batch
      }
    }
    return nil
  }

  func remove(_ batch: LogBatch) throws(StorageError) {
    let bytes: Data
    do { bytes = try JSONEncoder().encode(batch.end) } catch {
      throw .serialization(ErrorTransformer.summary(of: error))
    }
    try PrivateFiles.replace(placePath, with: Array(bytes))
  }

  /// The place where the next lines begin; `nil` before the first were sent.
  private var place: LogPlace? {
    guard let bytes = try? PrivateFiles.contents(of: placePath) else { return nil }
    return try? JSONDecoder().decode(LogPlace.self, from: Data(bytes))
  }
}

/// One of the log's files, as it was when it was opened.
private struct LogPart {
  /// The file's number on the disk and a hash of its first line: a number is reused once its file
  /// is gone.
  let name: String
  private let descriptor: Descriptor

  init?(path: String) {
    let opened = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { return nil }
    descriptor = Descriptor(opened)
    var information = stat()
    guard fstat(opened, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let beginning = descriptor.bytes(at: 0, count: 512)
    guard let end = beginning.firstIndex(of: 0x0A) else { return nil }
    // FNV-1a.
    let sum = beginning[..<end].reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    name = String(information.st_ino, radix: 36) + "-" + String(sum, radix: 36)
  }

  /// Returns the lines from a place on; `nil` if none of ours follows.
  func batch(from offset: Int, limit: Int, isLast: Bool) -> LogBatch? {
    var entries: [LogEntry] = []
    var place = offset
    while entries.isEmpty {
      let bytes = descriptor.bytes(at: place, count: ErrorLogOutbox.chunk)
      guard !bytes.isEmpty else { return nil }
      var rest = bytes[...]
      while entries.count < limit, let end = rest.firstIndex(of: 0x0A) {
        // A line that isn't ours or was cut off is skipped.
        if let entry = LogEntry(jsonLine: String(decoding: rest[..<end], as: UTF8.self)) {
          entries.append(entry)
        }
        rest = rest[(end + 1)...]
      }
      let taken = bytes.count - rest.count
      if taken == 0 {
        // No line ends here: it is being written, or isn't ours.
        guard !isLast || bytes.count == ErrorLogOutbox.chunk else { return nil }
        place += bytes.count
      } else {
        place += taken
      }
    }
    return LogBatch(
      entries: entries, start: LogPlace(file: name, offset: offset),
      end: LogPlace(file: name, offset: place))
  }

  private final class Descriptor {
    private let number: Int32
    init(_ number: Int32) { self.number = number }
    deinit { close(number) }

    func bytes(at offset: Int, count: Int) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = max(0, pread(number, buffer.baseAddress, count, off_t(offset)))
      }
    }
  }
}

extension LogOutboxClient {
  /// Returns an outbox that works on the store's executor, because files block.
  static func file(_ outbox: ErrorLogOutbox, _ store: Store) -> LogOutboxClient {
    LogOutboxClient {
      $0.claim = { await store.perform { outbox.claim() } }
      $0.next = { limit in await store.perform { outbox.next(limit) } }
      $0.markSent = { batch async throws(StorageError) in
        try await store.perform { () throws(StorageError) in try outbox.remove(batch) }
      }
      $0.release = { await store.perform { outbox.release() } }
    }
  }
}
