public import Composable

/// What of the error log has still to reach the service that the person named
/// (``Configuration/errorLog``). The log stays where it is; only how far it was sent is kept.
public struct LogOutboxClient: ClientInterface {
  /// Takes the right to send, which one program has at a time; it ends with the program.
  /// - Returns: Whether it is ours now.
  public var claim: @Sendable () async -> Bool = unimplemented(
    "LogOutboxClient.claim", placeholder: false)
  /// The oldest lines that were not sent, at most this many; `nil` when there are none.
  public var next: @Sendable (_ limit: Int) async -> LogBatch? = unimplemented(
    "LogOutboxClient.next", placeholder: nil)
  /// Remembers that the lines need not be sent again, even after a power cut.
  @Endpoint("LogOutboxClient.remove")
  public var remove: @Sendable (LogBatch) async throws(StorageError) -> Void
  /// Gives the right back.
  public var release: @Sendable () async -> Void = unimplemented("LogOutboxClient.release")

  public init() {}
}

/// Lines of the error log that are sent together.
public struct LogBatch: Equatable, Sendable {
  public var entries: [LogEntry]
  /// Where they begin.
  public var start: LogPlace
  /// Where the next ones begin.
  public var end: LogPlace

  public init(entries: [LogEntry], start: LogPlace, end: LogPlace) {
    self.entries = entries
    self.start = start
    self.end = end
  }

  /// The same for the same lines, so that a service knows those it already has.
  public var id: String { "\(start)-\(end)" }
}

/// A place in the error log.
public struct LogPlace: Equatable, Codable, Sendable, CustomStringConvertible {
  /// Which of its files; each has a name of its own.
  public var file: String
  public var offset: Int

  public init(file: String, offset: Int) {
    self.file = file
    self.offset = offset
  }

  public var description: String { "\(file).\(offset)" }
}

extension DependencyValues {
  public var logOutboxClient: LogOutboxClient {
    get { self[LogOutboxClient.self] }
    set { self[LogOutboxClient.self] = newValue }
  }
}
