import Glibc

/// Why there is no terminal to draw on.
public enum TerminalError: Error, Equatable, Sendable {
  /// The process has no controlling terminal; `errno` from opening it.
  case noTerminal(path: String, errno: Int32)
  /// What was opened is no terminal.
  case notATerminal(path: String)
  /// `TERM` is `dumb`: the terminal has no cursor to move.
  case dumb
  /// The system refused something that it grants for every terminal.
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// A sentence for the person at the shell.
  public var description: String {
    switch self {
    case .noTerminal(let path, let errno):
      "There is no terminal to draw on (\(path): \(String(cString: strerror(errno))))."
    case .notATerminal(let path):
      "\(path) is not a terminal."
    case .dumb:
      "This terminal cannot show full screens (TERM is \"dumb\")."
    case .system(let call, let errno):
      "The terminal refused: \(call): \(String(cString: strerror(errno)))."
    }
  }
}
