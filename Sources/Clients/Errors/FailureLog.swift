public import Composable
import Domain
import FoundationEssentials
import Synchronization

extension DependencyValues {
  /// Has every failure of an ``Endpoint`` noted in the error log, wherever it is shown or whether it is
  /// shown at all. Called once, by the composition root.
  public mutating func logClientFailures() {
    failureLog = FailureLog(logger: errorLogger, now: dateClient.now)
  }

  /// Where failures are noted; nowhere unless the composition root says so.
  var failureLog: FailureLog? {
    get { self[FailureLogKey.self] }
    set { self[FailureLogKey.self] = newValue }
  }

  private enum FailureLogKey: DependencyKey {
    static var liveValue: FailureLog? { nil }
    static var testValue: FailureLog? { nil }
  }
}

/// Notes what clients throw.
struct FailureLog: Sendable {
  let logger: ErrorLogger
  let now: @Sendable () -> Date

  func note(_ error: any AppError, of name: String, askedAt place: IssueLocation?) async {
    let context = LogEntry.Context(
      function: name, file: place?.fileID ?? "unknown", line: place?.line ?? 0)
    await logger.write(LogEntry(error, at: now(), context: context))
  }
}

/// One call of an endpoint. Its operation may be made of that of another client, which has noted a
/// failure already then: it is noted once, where it happened.
final class EndpointCall: Sendable {
  @TaskLocal private static var current: EndpointCall?

  private let name: String
  private let log: FailureLog?
  /// A closure has no place of its call; the effect or the command that asks has one.
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

  /// What a stream throws is not always an error with a code.
  func note(_ error: any Error) async {
    if let log, !isNoted.load(ordering: .acquiring), let error = error as? any AppError {
      await log.note(error, of: name, askedAt: place)
    }
    outer?.isNoted.store(true, ordering: .releasing)
  }
}
