public import Composable

/// The log of errors, for finding their causes.
public struct ErrorLogger: Sendable {
  /// Adds a line; one that can't be written is lost.
  public var write: @Sendable (LogEntry) async -> Void
  /// Returns the lines of at least a level, newest first, up to the limit.
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
