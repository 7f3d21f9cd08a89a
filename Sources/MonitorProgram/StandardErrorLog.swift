import Dispatch
import Domain
import FoundationEssentials
import Glibc
import Monitor
import Synchronization

/// Lines of time, level and what, one `write` each, so that those of several processes do not mix.
///
/// A line never keeps the monitor waiting: a terminal that was stopped by Ctrl-S, or a pager that does
/// not read, takes nothing for hours, and people still have to be notified (WCH-1). Lines wait for it
/// on a thread of their own.
enum StandardErrorLog {
  static let monitorLog = MonitorLog { level, what in write("\(level.rawValue) \(what)") }

  /// How many lines may wait; further ones are lost.
  private static let limit = 1_000
  private static let queue = DispatchQueue(label: "lifesignal.log")
  private static let waiting = Mutex(0)

  /// Writes a line with the time before it.
  static func write(_ line: String) {
    let text = "\(Date().rfc3339) \(line)\n"
    let isTaken = waiting.withLock { waiting in
      guard waiting < limit else { return false }
      waiting += 1
      return true
    }
    guard isTaken else { return }
    queue.async {
      print(text)
      waiting.withLock { $0 -= 1 }
    }
  }

  /// Waits until all lines are written, for a second at most: the last ones before the process ends.
  static func flush() {
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    _ = isWritten.wait(timeout: .now() + 1)
  }

  /// Writes a text now, however long that takes, with a question mark for all that a terminal could
  /// take for a command; one that cannot be written is lost.
  static func print(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
    let printable = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar != "\n" && scalar.properties.generalCategory == .control ? "?" : scalar
    }
    var rest = ArraySlice(String(String.UnicodeScalarView(printable)).utf8)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
