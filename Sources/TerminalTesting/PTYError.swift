import Glibc

/// Why driving a program failed.
public enum PTYError: Error, Hashable, Sendable {
  /// The system did not give a pseudo-terminal or did not start the program.
  case system(call: String, errno: Int32)
  /// The screen never showed what was awaited; this is what it shows.
  case notSeen(screen: String)
  /// The program did not end or stop; this is what it shows.
  case stillRunning(screen: String)
}

extension PTYError: CustomStringConvertible {
  /// What a failed test says, with the screen.
  public var description: String {
    switch self {
    case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
    case .notSeen(let screen): "The screen never showed it. It shows:\n\(screen)"
    case .stillRunning(let screen): "The program still runs. The screen shows:\n\(screen)"
    }
  }
}
