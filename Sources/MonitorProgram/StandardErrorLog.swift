import Domain
import FoundationEssentials
import Glibc
import Monitor

/// Lines of time, level and what, one `write` each, so that those of several processes do not mix.
enum StandardErrorLog {
  static let monitorLog = MonitorLog { level, what in write("\(level.rawValue) \(what)") }

  /// Writes a line with the time before it.
  static func write(_ line: String) { print("\(Date().rfc3339) \(line)\n") }

  /// Writes a text, with a question mark for all that a terminal could take for a command; one that
  /// cannot be written is lost.
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
