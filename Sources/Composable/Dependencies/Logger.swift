@preconcurrency import Glibc

/// Notes what a program does, for those who look after it: `logger.error("…")`.
public struct Logger: Sendable {
  /// How much a message matters.
  public enum Level: Int, Comparable, Sendable, CustomStringConvertible {
    /// Only of interest to who writes the program.
    case debug
    /// What happens as it should.
    case info
    /// What is unusual, and handled.
    case warning
    /// What went wrong.
    case error

    /// Whether it matters less.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Its name.
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

  /// Makes a logger that hands its messages to a function.
  public init(_ write: @escaping @Sendable (_ level: Level, _ message: String) -> Void) {
    self.write = write
  }

  /// Notes a message.
  public func log(_ level: Level, _ message: @autoclosure () -> String) { write(level, message()) }

  /// Notes what is only of interest to who writes the program.
  public func debug(_ message: @autoclosure () -> String) { log(.debug, message()) }

  /// Notes what happens as it should.
  public func info(_ message: @autoclosure () -> String) { log(.info, message()) }

  /// Notes what is unusual, and handled.
  public func warning(_ message: @autoclosure () -> String) { log(.warning, message()) }

  /// Notes what went wrong.
  public func error(_ message: @autoclosure () -> String) { log(.error, message()) }

  /// Writes to standard error what matters at least so much.
  public static func standardError(from level: Level = .warning) -> Self {
    Self { messageLevel, message in
      guard messageLevel >= level else { return }
      fputs("\(messageLevel): \(message)\n", stderr)
    }
  }

  /// Notes nothing.
  public static let silent = Self { _, _ in }
}

extension DependencyValues {
  /// Notes what the program does. It is silent until the composition root gives it a place, and in
  /// tests.
  public var logger: Logger {
    get { self[LoggerKey.self] }
    set { self[LoggerKey.self] = newValue }
  }

  private enum LoggerKey: DependencyKey {
    static let liveValue = Logger.silent
    static let testValue = Logger.silent
  }
}
