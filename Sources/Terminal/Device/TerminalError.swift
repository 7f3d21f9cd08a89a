import Glibc

/// The reason why no terminal is available.
public enum TerminalError: Error, Equatable, Sendable {
  /// The process has no controlling terminal; `errno` is from opening it.
  case noTerminal(path: String, errno: Int32)
  /// The file that was opened isn't a terminal.
  case notATerminal(path: String)
  /// `TERM` is `dumb`: the terminal has no movable cursor.
  case dumb
  /// A system call failed that should work on every terminal.
  case system(call: String, errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// A sentence for the user at the shell.
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
