public import Composable

/// The part of the error log that has not been sent to the service that the person named
/// (``Configuration/errorLog``). The log stays where it is; only how far it was sent is recorded.
public struct LogOutboxClient: ClientInterface {
  /// Claims the right to send, which one process holds at a time and loses when it ends.
  /// - Returns: Whether this process has it now.
  public var claim: @Sendable () async -> Bool = unimplemented(
    "LogOutboxClient.claim", placeholder: false)
  /// Returns the oldest lines that were not sent, up to the limit, or `nil` if there are none.
  public var next: @Sendable (_ limit: Int) async -> LogBatch? = unimplemented(
    "LogOutboxClient.next", placeholder: nil)
  /// Records that the lines need not be sent again, even after a power cut.
  @Endpoint("LogOutboxClient.markSent")
  public var markSent: @Sendable (LogBatch) async throws(StorageError) -> Void
  /// Releases the right to send.
  public var release: @Sendable () async -> Void = unimplemented("LogOutboxClient.release")

  public init() {}
}

/// Lines of the error log that are sent together.
public struct LogBatch: Equatable, Sendable {
  public var entries: [LogEntry]
  /// The place where the lines begin.
  public var start: LogPlace
  /// The place where the next lines begin.
  public var end: LogPlace

  public init(entries: [LogEntry], start: LogPlace, end: LogPlace) {
    self.entries = entries
    self.start = start
    self.end = end
  }

  /// An identity that is the same for the same lines, so that a service recognises those it has.
  public var id: String { "\(start)-\(end)" }
}

/// A place in the error log.
public struct LogPlace: Equatable, Codable, Sendable, CustomStringConvertible {
  /// The name of the file, which no other file of the log has.
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
