import Glibc

/// The reason why driving a program failed.
public enum PTYError: Error, Hashable, Sendable {
  /// The system couldn't provide a pseudo-terminal or start the program.
  case system(call: String, errno: Int32)
  /// The screen never showed `text`, or what else was expected if that is `nil`; `screen` is what it
  /// shows.
  case notSeen(_ text: String? = nil, screen: String)
  /// The program didn't exit or stop; `screen` is what it shows.
  case stillRunning(screen: String)
}

extension PTYError: CustomStringConvertible {
  /// The message of a failing test, with the contents of the screen.
  public var description: String {
    switch self {
    case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
    case .notSeen(let text, let screen):
      "The screen never showed \(text.map { "“\($0)”" } ?? "it"). It shows:\n\(screen)"
    case .stillRunning(let screen): "The program still runs. The screen shows:\n\(screen)"
    }
  }
}
