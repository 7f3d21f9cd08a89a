import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// What the program says.
enum Output {
  private static let queue = DispatchQueue(label: "lifesignal.server.log")
  private static let waiting = Mutex(0)

  /// One line of JSON on standard error. Where nobody reads it, lines are lost rather than requests held up.
  static func log(_ line: Server.RequestLine) {
    let isTaken = waiting.withLock { waiting in
      guard waiting < 1_000 else { return false }
      waiting += 1
      return true
    }
    guard isTaken else { return }
    queue.async {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      if let data = try? encoder.encode(line) {
        write(String(decoding: data, as: UTF8.self) + "\n", to: STDERR_FILENO)
      }
      waiting.withLock { $0 -= 1 }
    }
  }

  static func complain(_ reason: String, _ recovery: String?) {
    write("lifesignal-server: \(reason)\n", to: STDERR_FILENO)
    if let recovery { write("  \(recovery)\n", to: STDERR_FILENO) }
  }

  /// Writes a text, with a question mark for all that a terminal could take for a command.
  static func write(_ text: String, to descriptor: Int32 = STDOUT_FILENO) {
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
