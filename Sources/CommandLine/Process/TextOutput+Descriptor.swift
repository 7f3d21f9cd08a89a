import Glibc
import Terminal

extension TextOutput {
  static let standardOutput = TextOutput(descriptor: STDOUT_FILENO)
  static let standardError = TextOutput(descriptor: STDERR_FILENO)

  /// Creates an output for an open file. It continues after partial writes.
  init(descriptor: Int32) {
    self.init(
      write: { text in
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
          if count < 0, errno == EINTR { continue }
          guard count >= 0 else { return systemReason() }
          rest = rest.dropFirst(count)
        }
        return nil
      }, columns: { Size(ofTerminal: descriptor)?.columns })
  }
}
