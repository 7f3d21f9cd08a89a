import Dispatch
import Glibc
import Synchronization

/// The output of a program without a screen: lines of a log, and sentences for the person who
/// started it. Characters that a terminal could take for a command are replaced.
package final class ProgramOutput: Sendable {
  private let name: String
  private let queue: DispatchQueue
  private let waiting = Mutex(0)
  /// The number of lines that can wait; further ones are lost.
  private static let limit = 1_000

  /// - Parameter name: The name of the program, which comes before each complaint.
  package init(of name: String) {
    self.name = name
    queue = DispatchQueue(label: name + ".log")
  }

  /// Writes a line to standard error, with one `write`, so that the lines of several processes
  /// don't mix.
  ///
  /// This never waits: a terminal that was stopped by Ctrl-S, or a pager that doesn't read, can
  /// block for hours. Lines wait for it on a separate thread, and are made there.
  package func log(_ line: @escaping @Sendable () -> String) {
    let isTaken = waiting.withLock { waiting in
      guard waiting < Self.limit else { return false }
      waiting += 1
      return true
    }
    guard isTaken else { return }
    queue.async { [self] in
      write(line() + "\n", to: STDERR_FILENO)
      waiting.withLock { $0 -= 1 }
    }
  }

  /// Waits until all lines are written, for a second at most: the last ones before the process
  /// ends.
  package func flush() {
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    _ = isWritten.wait(timeout: .now() + 1)
  }

  package func complain(_ reason: String, _ recovery: String?) {
    write("\(name): \(reason)\n", to: STDERR_FILENO)
    if let recovery { write("  \(recovery)\n", to: STDERR_FILENO) }
  }

  /// Writes a text now, however long that takes. A text that can't be written is lost.
  package func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
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
