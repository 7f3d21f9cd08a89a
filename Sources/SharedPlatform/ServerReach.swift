import Domain
import FoundationEssentials
import Synchronization

/// Whether the server answers, as all requests together show, and how old the data is that is shown
/// without it.
final class ServerReach: Sendable {
  /// How long the server can be away before that is shown.
  static let silenceLimit = Duration.seconds(3)

  private struct Facts {
    var state = ConnectionState.reconnecting(asOf: nil)
    /// When the first request was made.
    var start: Date?
    var lastAnswer: Date?
    var answers = 0
    var hasFailed = false
    /// When the pages were requested that are shown and weren't answered since.
    var shown: [String: Date] = [:]
    /// The pages that were answered since the server last announced a change.
    var current: Set<String> = []
    /// Until when the other pages are known to have been current.
    var confirmed: [String: Date] = [:]
    var silenceTimer: Task<Void, Never>?
    var observers: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
    var next = 0

    var asOf: Date? { shown.values.min() ?? lastAnswer }

    /// Records that the current pages are only known to have been so until a date.
    mutating func end(at date: Date?) {
      if let date { for page in current { confirmed[page] = date } }
      current = []
    }
  }

  /// A request in progress.
  struct Attempt {
    /// The number of answers before it.
    fileprivate var answers: Int
  }

  private let facts = Mutex(Facts())
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  /// - Parameter now: The time by the server's clock, as far as it is known.
  init(clock: any Clock<Duration>, now: @escaping @Sendable () -> Date) {
    self.clock = clock
    self.now = now
  }

  var state: ConnectionState { facts.withLock(\.state) }
  var shownAsOf: Date? { facts.withLock { $0.shown.values.min() } }
  var hasFailed: Bool { facts.withLock(\.hasFailed) }

  /// Returns a stream of the state, now and after every change.
  func observe() -> AsyncStream<ConnectionState> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ConnectionState.self, bufferingPolicy: .bufferingNewest(1))
    let id = facts.withLock { facts in
      facts.next += 1
      facts.observers[facts.next] = continuation
      continuation.yield(facts.state)
      return facts.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.facts.withLock { $0.observers[id] = nil }
    }
    return stream
  }

  // MARK: Requests

  func begin() -> Attempt {
    change { facts in
      if facts.start == nil { facts.start = now() }
      if case .reconnecting = facts.state { startSilenceTimer(&facts) }
      return Attempt(answers: facts.answers)
    }
  }

  func answered() {
    change { facts in
      facts.answers += 1
      facts.lastAnswer = now()
      facts.hasFailed = false
      facts.silenceTimer?.cancel()
      facts.silenceTimer = nil
      facts.state = .connected
    }
  }

  /// Records that the server is alive. Whether it answers other requests, only those can tell.
  func heard() {
    change { facts in
      guard facts.state == .connected else { return }
      facts.answers += 1
      facts.lastAnswer = now()
    }
  }

  func failed(_ attempt: Attempt) {
    change { facts in
      // A request from before the last answer says nothing about the time after it.
      guard attempt.answers == facts.answers else { return }
      facts.hasFailed = true
      guard facts.state == .connected else { return }
      facts.end(at: facts.lastAnswer)
      facts.state = .reconnecting(asOf: facts.asOf)
      startSilenceTimer(&facts)
    }
  }

  /// Records that the account has changed, and not before a date; `nil` if nobody knows since when.
  func changed(after date: Date?) { facts.withLock { $0.end(at: date) } }

  /// Records that a page is shown as it was at a date, or for as long as it is known to have been
  /// current.
  func shows(_ page: String, asOf date: Date) {
    change { facts in
      facts.shown[page] = max(date, facts.confirmed[page] ?? date)
      switch facts.state {
      case .local, .connected: break
      case .reconnecting: facts.state = .reconnecting(asOf: facts.asOf)
      case .offline(let since, _): facts.state = .offline(since: since, asOf: facts.asOf)
      }
    }
  }

  /// Records that a page is as the server answers it now.
  func refreshed(_ page: String) {
    facts.withLock { facts in
      facts.shown[page] = nil
      facts.current.insert(page)
    }
  }

  /// Returns whether a page is shown that wasn't answered since.
  func isShown(_ page: String) -> Bool { facts.withLock { $0.shown[page] != nil } }

  private func startSilenceTimer(_ facts: inout Facts) {
    guard facts.silenceTimer == nil else { return }
    facts.silenceTimer = Task { [weak self, clock] in
      do { try await clock.sleep(for: Self.silenceLimit) } catch { return }
      self?.silenceTimerEnded()
    }
  }

  private func silenceTimerEnded() {
    change { facts in
      facts.silenceTimer = nil
      guard case .reconnecting = facts.state else { return }
      facts.state = .offline(
        since: facts.lastAnswer ?? facts.start ?? now(), asOf: facts.asOf)
    }
  }

  /// Changes the facts, and notifies the observers if the state changed.
  private func change<Result: Sendable>(_ body: (inout Facts) -> Result) -> Result {
    facts.withLock { facts in
      let before = facts.state
      let result = body(&facts)
      // Within the lock, so that observers get the states in order.
      if facts.state != before {
        for observer in facts.observers.values { observer.yield(facts.state) }
      }
      return result
    }
  }
}
