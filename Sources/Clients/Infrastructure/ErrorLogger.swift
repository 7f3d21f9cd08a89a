public import Composable

/// The log of what went wrong, for finding the cause.
public struct ErrorLogger: Sendable {
  /// Adds a line; one that cannot be written is lost.
  public var write: @Sendable (LogEntry) async -> Void
  /// Lines that matter at least so much, newest first, at most this many.
  public var entries: @Sendable (_ from: LogLevel, _ limit: Int) async -> [LogEntry]

  public init(
    write: @escaping @Sendable (LogEntry) async -> Void,
    entries: @escaping @Sendable (LogLevel, Int) async -> [LogEntry]
  ) {
    self.write = write
    self.entries = entries
  }
}

extension ErrorLogger: TestDependencyKey {
  public static var testValue: Self {
    Self(
      write: unimplemented("ErrorLogger.write"),
      entries: unimplemented("ErrorLogger.entries", placeholder: []))
  }
}

extension DependencyValues {
  public var errorLogger: ErrorLogger {
    get { self[ErrorLogger.self] }
    set { self[ErrorLogger.self] = newValue }
  }
}
