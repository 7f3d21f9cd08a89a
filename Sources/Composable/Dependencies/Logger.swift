@preconcurrency import Glibc

/// A log for the people who operate the program: `logger.error("…")`.
public struct Logger: Sendable {
  /// The importance of a message.
  public enum Level: Int, Comparable, Sendable, CustomStringConvertible {
    /// Information for developers.
    case debug
    /// A normal event.
    case info
    /// Something unusual that was handled.
    case warning
    /// A failure.
    case error

    /// Returns whether one level is less important than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The name of the level.
    public var description: String {
      switch self {
      case .debug: "debug"
      case .info: "info"
      case .warning: "warning"
      case .error: "error"
      }
    }
  }

  private let write: @Sendable (Level, String) -> Void

  /// Creates a logger that passes its messages to a function.
  public init(_ write: @escaping @Sendable (_ level: Level, _ message: String) -> Void) {
    self.write = write
  }

  /// Logs a message.
  public func log(_ level: Level, _ message: @autoclosure () -> String) { write(level, message()) }

  /// Logs information for developers.
  public func debug(_ message: @autoclosure () -> String) { log(.debug, message()) }

  /// Logs a normal event.
  public func info(_ message: @autoclosure () -> String) { log(.info, message()) }

  /// Logs something unusual that was handled.
  public func warning(_ message: @autoclosure () -> String) { log(.warning, message()) }

  /// Logs a failure.
  public func error(_ message: @autoclosure () -> String) { log(.error, message()) }

  /// Returns a logger that writes messages of at least the given level to standard error.
  public static func standardError(from level: Level = .warning) -> Self {
    Self { messageLevel, message in
      guard messageLevel >= level else { return }
      fputs("\(messageLevel): \(message)\n", stderr)
    }
  }

  /// A logger that discards its messages.
  public static let silent = Self { _, _ in }
}

extension DependencyValues {
  /// The log. Silent in tests, and until the composition root sets one.
  public var logger: Logger {
    get { self[LoggerKey.self] }
    set { self[LoggerKey.self] = newValue }
  }

  private enum LoggerKey: DependencyKey {
    static let liveValue = Logger.silent
    static let testValue = Logger.silent
  }
}
