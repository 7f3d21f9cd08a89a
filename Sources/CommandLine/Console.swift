@preconcurrency import Glibc
import Terminal

/// Where a command's words go and where answers come from; tests put their own in its place.
struct Console: Sendable {
  /// Writes a line to standard output, as it is.
  var print: @Sendable (String) -> Void
  /// Writes a line to standard error, as it is.
  var printError: @Sendable (String) -> Void
  /// Reads a secret: a line without echo from a terminal, or all of standard input.
  var readSecret: @Sendable (_ prompt: String) -> String?

  init(
    print: @escaping @Sendable (String) -> Void, printError: @escaping @Sendable (String) -> Void,
    readSecret: @escaping @Sendable (String) -> String?
  ) {
    self.print = print
    self.printError = printError
    self.readSecret = readSecret
  }

  /// Prints lines that may hold text from outside: what acts on a terminal is taken out.
  func say(_ text: String) { print(Self.harmless(text)) }

  /// Like ``say(_:)``, to standard error, with the program's name in front.
  func complain(_ text: String) { printError(Self.harmless("lifesignal: \(text)")) }

  private static func harmless(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).sanitized }.joined(separator: "\n")
  }

  /// The process's own streams. A reader that goes away, as `head` does, ends the program quietly.
  static let standard = Console(
    print: { write($0 + "\n", to: STDOUT_FILENO) },
    printError: { write($0 + "\n", to: STDERR_FILENO) },
    readSecret: readSecretFromStandardInput)

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          rest = .init(rebasing: rest.dropFirst(count))
        } else if errno != EINTR {
          return
        }
      }
    }
  }

  private static func readSecretFromStandardInput(prompt: String) -> String? {
    var saved = termios()
    let isTerminal = tcgetattr(STDIN_FILENO, &saved) == 0
    if isTerminal {
      write(prompt, to: STDERR_FILENO)
      var silent = saved
      silent.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    }
    defer {
      if isTerminal {
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved)
        write("\n", to: STDERR_FILENO)
      }
    }
    guard let line = readLine(strippingNewline: true), !line.isEmpty else { return nil }
    return line
  }
}
