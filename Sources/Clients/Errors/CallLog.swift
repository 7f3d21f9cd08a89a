public import Composable
import Domain
public import FoundationEssentials
import Synchronization

extension DependencyValues {
  /// Logs every failure of an ``Endpoint``, whether or not it is shown. Called once, by the
  /// composition root.
  /// - Parameter isTracing: Whether calls that succeed are logged, too.
  public mutating func logClientCalls(isTracing: Bool = false) {
    callLog = CallLog(logger: errorLogger, now: dateClient.now, isTracing: isTracing)
  }

  /// The last calls of clients, oldest first, if they are logged.
  public var recentCalls: [ClientCall] { callLog?.recent ?? [] }

  /// The log for calls, or `nil` unless the composition root has set it.
  var callLog: CallLog? {
    get { self[CallLogKey.self] }
    set { self[CallLogKey.self] = newValue }
  }

  private enum CallLogKey: DependencyKey {
    static var liveValue: CallLog? { nil }
    static var testValue: CallLog? { nil }
  }
}

/// A call of a client's operation that has ended, with its result and the time that it took. Of what
/// was asked or answered it contains only what the error's sentence says, so it stays in memory.
public struct ClientCall: Equatable, Sendable {
  /// The client and the operation: `PingClient.send`.
  public var operation: String
  public var start: Date
  /// The error's code and sentence; `nil` if the call succeeded.
  public var error: String?
  public var details: LogEntry.Call

  public init(operation: String, start: Date, error: String? = nil, details: LogEntry.Call) {
    self.operation = operation
    self.start = start
    self.error = error
    self.details = details
  }
}

/// A log of what clients are asked to do.
final class CallLog: Sendable {
  /// The number of calls that are remembered.
  static let limit = 100

  private let logger: ErrorLogger
  let now: @Sendable () -> Date
  private let isTracing: Bool
  private let calls = Mutex<[ClientCall]>([])

  init(logger: ErrorLogger, now: @escaping @Sendable () -> Date, isTracing: Bool) {
    self.logger = logger
    self.now = now
    self.isTracing = isTracing
  }

  var recent: [ClientCall] { calls.withLock(\.self) }

  func note(_ call: ClientCall, _ error: (any AppError)?, askedAt place: IssueLocation?) async {
    calls.withLock { calls in
      if calls.count == Self.limit { calls.removeFirst() }
      calls.append(call)
    }
    let context = LogEntry.Context(
      function: call.operation, file: place?.fileID ?? "unknown", line: place?.line ?? 0)
    if let error {
      await logger.write(LogEntry(error, at: now(), context: context, call: call.details))
    } else if isTracing {
      await logger.write(LogEntry(call, at: now(), context: context))
    }
  }
}

/// One call of an endpoint. If its operation calls another client, that one logs the failure
/// already, so that each is logged once, where it happened.
package final class EndpointCall: Sendable {
  @TaskLocal private static var current: EndpointCall?

  private let name: String
  private let log: CallLog?
  private let start: Date?
  /// A closure doesn't know where it is called; the effect or the command that calls it does.
  private let place = EffectLocation.current
  private let outer = EndpointCall.current
  /// Whether a call within this one has logged the error.
  private let isNoted = Atomic(false)
  private let hasEnded = Atomic(false)
  private let details = Mutex(LogEntry.Call())

  init(_ name: String) {
    self.name = name
    log = DependencyValues.current.callLog
    start = log?.now()
  }

  /// Notes a request that the call in progress, if there is one, has made to a server.
  /// - Parameters:
  ///   - endpoint: The method and the path, without its variable parts: `GET /v1/contacts/{id}`.
  ///   - status: The status of the answer.
  ///   - cause: Why there was none.
  package static func noteRequest(_ endpoint: String, status: Int? = nil, cause: String? = nil) {
    current?.details.withLock { details in
      details.endpoint = endpoint
      details.status = status
      details.cause = cause
    }
  }

  /// Notes that the call in progress, if there is one, tries its request again.
  package static func noteRetry() { current?.details.withLock { $0.retries += 1 } }

  func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: operation)
  }

  nonisolated(nonsending) func run<Result>(_ operation: () async -> Result) async -> Result {
    await Self.$current.withValue(self, operation: operation)
  }

  /// Logs that the call has succeeded.
  func noteSuccess() async { await end(nil) }

  /// Logs an error if it has a code; not every error of a stream has one.
  func note(_ error: any Error) async {
    // A check-in that is kept hasn't failed (OFF-1).
    if case ClientError.queued = error {
      await end(nil)
    } else if !isNoted.load(ordering: .acquiring), let error = error as? any AppError {
      await end(error)
    }
    hasEnded.store(true, ordering: .releasing)
    outer?.isNoted.store(true, ordering: .releasing)
  }

  private func end(_ error: (any AppError)?) async {
    // A transfer ends after the event that says it has failed.
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing), let log, let start else {
      return
    }
    var details = details.withLock(\.self)
    let seconds = log.now().timeIntervalSince(start)
    details.milliseconds = max(0, Int(bounded: (seconds * 1_000).rounded()))
    await log.note(
      ClientCall(operation: name, start: start, error: error?.text.line, details: details), error,
      askedAt: place)
  }
}
