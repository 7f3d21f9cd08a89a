public import Clients
import Curl
import Domain
import FoundationEssentials
import Synchronization

/// Sends the lines of the error log to the configured service, in order and in batches. The lines
/// also stay in the file.
///
/// Lines that failed to arrive are sent again with the same `Idempotency-Key`, at growing intervals
/// while the service is down. Sending never delays anything else, and no more than one batch is in
/// memory.
public final class LogSender: Sendable {
  /// The maximum number of lines in a batch.
  public static let batchLimit = 100
  /// The number of batches after which other processes get their turn.
  static let batchesAtATime = 20
  /// The interval between checks for new lines.
  static let pace = TimeSpan.seconds(10)
  static let pauses = (first: TimeSpan.minutes(1), longest: TimeSpan.hours(1))

  private struct Progress {
    var isRunning = false
    var next: (date: Date, url: String)?
    var failures = 0
    /// The batch size, which shrinks while a service refuses batches.
    var limit = LogSender.batchLimit
    /// The last logged fault, so that an unreachable service isn't logged every time.
    var fault: String?
  }

  private let outbox: LogOutboxClient
  private let token: @Sendable () async throws(KeychainError) -> String?
  private let dateClient: DateClient
  private let http: HTTPClient
  private let limits: TransferLimits
  private let log: @Sendable (String) -> Void
  private let progress = Mutex(Progress())

  /// - Parameters:
  ///   - token: Returns the access token; called when there is something to send. `nil` sends
  ///     without one.
  ///   - log: Writes a line when the service refuses what it gets, and when it accepts it again.
  package init(
    outbox: LogOutboxClient,
    token: @escaping @Sendable () async throws(KeychainError) -> String?, dateClient: DateClient,
    http: HTTPClient = .live, limits: TransferLimits = .init(),
    log: @escaping @Sendable (String) -> Void
  ) {
    self.outbox = outbox
    self.token = token
    self.dateClient = dateClient
    self.http = http
    self.limits = limits
    self.log = log
  }

  /// Sends the waiting lines if it is time to. Returns at once in any case.
  /// - Returns: The task that sends them; `nil` if there is nothing to do.
  @discardableResult
  public func send(to service: ErrorLogSettings) -> Task<Void, Never>? {
    let now = dateClient.now()
    let isDue = progress.withLock { progress in
      guard !progress.isRunning else { return false }
      // A clock that was set back must not silence the log until it catches up.
      if let next = progress.next, next.url == service.url, now < next.date,
        now >= next.date - Self.pauses.longest
      {
        return false
      }
      if progress.next?.url != service.url { progress.failures = 0 }
      progress.isRunning = true
      return true
    }
    guard isDue else { return nil }
    return Task {
      guard await outbox.claim() else { return end(.success(hasMore: false), service) }
      let round = await sendBatches(to: service)
      await outbox.release()
      end(round, service)
    }
  }

  private enum Round {
    case success(hasMore: Bool)
    case failure(String, after: TimeSpan?)
  }

  private func sendBatches(to service: ErrorLogSettings) async -> Round {
    var token: String?
    for number in 0..<Self.batchesAtATime {
      let limit = progress.withLock { $0.limit }
      guard let batch = await outbox.next(limit) else { return .success(hasMore: false) }
      do {
        if number == 0 { token = try await self.token() }
        switch await verdict(on: batch, service, token: token) {
        case .taken:
          try await outbox.markSent(batch)
          progress.withLock { $0.limit = min(Self.batchLimit, $0.limit * 2) }
        case .refused(let reason):
          guard batch.entries.count == 1 else {
            progress.withLock { $0.limit = max(1, batch.entries.count / 2) }
            continue
          }
          log("error log: a line isn't sent: \(reason)")
          try await outbox.markSent(batch)
        case .later(let reason, let wish): return .failure(reason, after: wish)
        }
      } catch let error as KeychainError {
        return .failure(error.errorDescription, after: nil)
      } catch let error as StorageError {
        return .failure(error.errorDescription, after: nil)
      } catch {
        return .failure(ErrorTransformer.summary(of: error), after: nil)
      }
    }
    return .success(hasMore: true)
  }

  private enum Verdict {
    case taken
    /// The content of the request is at fault.
    case refused(String)
    case later(String, after: TimeSpan?)
  }

  private func verdict(
    on batch: LogBatch, _ service: ErrorLogSettings, token: String?
  ) async -> Verdict {
    var headers = [
      (name: "Content-Type", value: "application/x-ndjson"),
      (name: "Idempotency-Key", value: batch.id),
    ]
    if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
    let body = batch.entries.map { $0.jsonLine + "\n" }.joined()
    let request = HTTPRequest(
      url: service.url, headers: headers, body: Data(body.utf8), limits: limits)
    let result = await http.send(request)
    let outcome = DeliveryOutcome(
      result, service: "the error log's service", now: dateClient.now())
    guard let reason = outcome.reason else { return .taken }
    if case .reply(let reply) = result, [400, 413, 422].contains(reply.status) {
      return .refused(reason)
    }
    switch outcome {
    case .retry(_, let wish), .limited(_, let wish): return .later(reason, after: wish)
    default: return .later(reason, after: nil)
    }
  }

  private func end(_ round: Round, _ service: ErrorLogSettings) {
    let now = dateClient.now()
    let line = progress.withLock { progress -> String? in
      progress.isRunning = false
      var fault: String?
      switch round {
      case .success(let hasMore):
        progress.failures = 0
        progress.next = (hasMore ? now : now + Self.pace, service.url)
      case .failure(let reason, let wish):
        fault = reason
        let doubled = Self.pauses.first.seconds << min(progress.failures, 10)
        let pause = max(TimeSpan(seconds: doubled), wish ?? .zero)
        progress.next = (now + min(pause, Self.pauses.longest), service.url)
        progress.failures += 1
      }
      defer { progress.fault = fault }
      guard fault != progress.fault else { return nil }
      return fault.map { "error log: \($0)" } ?? "error log: the service accepts it again"
    }
    if let line { log(line) }
  }
}
