import Glibc

/// Reads a secret from standard input, byte by byte, so that none of it stays in a buffer and
/// nothing after the line is consumed.
enum SecretPrompt {
  static let limit = 4_096

  /// Reads one line. On a terminal, it prompts and doesn't echo.
  static func read(prompt: String) throws(SecretError) -> String {
    var original = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &original) == 0 else {
      return try readLine(editing: false)
    }
    // No echo and no signals: Ctrl-C is read as a key, so that echo is always restored.
    var silent = original
    silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
      throw .unreadable(reason: systemReason())
    }
    _ = TextOutput.standardError.write(prompt)
    defer {
      _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
      _ = TextOutput.standardError.write("\n")
    }
    return try readLine(editing: true)
  }

  private static func readLine(editing: Bool) throws(SecretError) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(limit + 1)
    var hasEnded = false
    loop: while true {
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(reason: systemReason()) }
      hasEnded = count == 0
      if hasEnded { break }
      switch byte {
      case UInt8(ascii: "\n"): break loop
      case UInt8(ascii: "\r") where editing: break loop
      case 0x03 where editing, 0x1C where editing: throw .cancelled
      case 0x04 where editing: if line.isEmpty { throw .cancelled } else { break loop }
      case 0x15 where editing: line.removeAll(keepingCapacity: true)
      case 0x7F where editing, 0x08 where editing:
        // Remove a character's continuation bytes along with its first.
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      default: line.append(byte)
      }
      guard line.count <= limit else { throw .tooLong }
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty else { throw hasEnded ? .ended : .empty }
    return String(decoding: line, as: UTF8.self)
  }
}
