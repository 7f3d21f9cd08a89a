import Dispatch
import Glibc
import Synchronization

/// An event on standard input while waiting for a line.
public enum LineEvent: Equatable, Sendable {
  /// A line without its end, cut to 4,096 bytes.
  case line(String)
  /// The end of input: Ctrl-D, or the pipe was closed.
  case end
  /// Nothing arrived in time.
  case nothing
}

/// Reads lines from standard input, with a time limit.
final class LineInput: Sendable {
  private static let limit = 4_096

  fileprivate struct Contents {
    var bytes: [UInt8] = []
    var isAtEnd = false
  }

  private let contents = Mutex(Contents())

  /// - Parameter milliseconds: How long to wait.
  func next(within milliseconds: Int32) async -> LineEvent {
    await withCheckedContinuation { continuation in
      // Blocking is fine on this thread, but not on one of the concurrency pool's.
      DispatchQueue.global().async { [self] in
        continuation.resume(returning: read(within: milliseconds))
      }
    }
  }

  /// Takes a line that was already read; `nil` if there is none.
  func takeLine() -> String? {
    contents.withLock { $0.bytes.takeLine(limit: Self.limit) }
  }

  private func read(within milliseconds: Int32) -> LineEvent {
    contents.withLock { contents in
      while true {
        if let line = contents.bytes.takeLine(limit: Self.limit) { return .line(line) }
        if contents.isAtEnd {
          let rest = contents.bytes
          contents.bytes = []
          return rest.isEmpty ? .end : .line(String(decoding: rest, as: UTF8.self))
        }
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        let ready = poll(&entry, 1, milliseconds)
        if ready == 0 { return .nothing }
        if ready < 0, errno != EINTR { contents.isAtEnd = true }
        if ready > 0 { contents.fill() }
      }
    }
  }
}

extension LineInput.Contents {
  fileprivate mutating func fill() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      let count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
      if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
      if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { isAtEnd = true }
    }
  }
}

extension [UInt8] {
  /// Removes and returns the first line, cut to `limit` bytes.
  fileprivate mutating func takeLine(limit: Int) -> String? {
    guard let end = firstIndex(of: UInt8(ascii: "\n")) else {
      // A line without an end must not grow without bound.
      if count > 2 * limit { removeSubrange(limit..<count) }
      return nil
    }
    let line = self[..<end].prefix(limit).filter { $0 != UInt8(ascii: "\r") }
    removeSubrange(...end)
    return String(decoding: line, as: UTF8.self)
  }
}
