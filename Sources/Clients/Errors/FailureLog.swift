public import Composable
import Domain
import FoundationEssentials
import Synchronization

extension DependencyValues {
  /// Logs every failure of an ``Endpoint``, whether or not it is shown. Called once, by the
  /// composition root.
  public mutating func logClientFailures() {
    failureLog = FailureLog(logger: errorLogger, now: dateClient.now)
  }

  /// The log for failures, or `nil` unless the composition root has set it.
  var failureLog: FailureLog? {
    get { self[FailureLogKey.self] }
    set { self[FailureLogKey.self] = newValue }
  }

  private enum FailureLogKey: DependencyKey {
    static var liveValue: FailureLog? { nil }
    static var testValue: FailureLog? { nil }
  }
}

/// A log of the errors that clients throw.
struct FailureLog: Sendable {
  let logger: ErrorLogger
  let now: @Sendable () -> Date

  func note(_ error: any AppError, of name: String, askedAt place: IssueLocation?) async {
    let context = LogEntry.Context(
      function: name, file: place?.fileID ?? "unknown", line: place?.line ?? 0)
    await logger.write(LogEntry(error, at: now(), context: context))
  }
}

/// One call of an endpoint. If its operation calls another client, that one logs the failure
/// already, so that each is logged once, where it happened.
final class EndpointCall: Sendable {
  @TaskLocal private static var current: EndpointCall?

  private let name: String
  private let log: FailureLog?
  /// A closure doesn't know where it is called; the effect or the command that calls it does.
  private let place = EffectLocation.current
  private let outer = EndpointCall.current
  private let isNoted = Atomic(false)

  init(_ name: String) {
    self.name = name
    log = DependencyValues.current.failureLog
  }

  func run<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: operation)
  }

  nonisolated(nonsending) func run<Result>(_ operation: () async -> Result) async -> Result {
    await Self.$current.withValue(self, operation: operation)
  }

  /// Logs an error if it has a code; not every error of a stream has one.
  func note(_ error: any Error) async {
    if let log, !isNoted.load(ordering: .acquiring), let error = error as? any AppError {
      await log.note(error, of: name, askedAt: place)
    }
    outer?.isNoted.store(true, ordering: .releasing)
  }
}
