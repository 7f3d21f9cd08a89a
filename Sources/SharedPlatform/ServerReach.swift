import Domain
import FoundationEssentials
import Synchronization

/// Whether the server answers, as all requests together find out, and how old what is shown without it is.
final class ServerReach: Sendable {
  /// How long the server may be away before that is said.
  static let silenceLimit = Duration.seconds(3)

  private struct Facts {
    var state = ConnectionState.reconnecting(asOf: nil)
    /// When it was first asked.
    var start: Date?
    var lastAnswer: Date?
    /// How far the server's clock was ahead then; `nil` where no answer has said.
    var clockLead: TimeSpan?
    var answers = 0
    var hasFailed = false
    /// When the pages that are shown, and have not been answered since, were asked for.
    var shown: [String: Date] = [:]
    /// The pages that have been answered since the server last said that something has changed.
    var current: Set<String> = []
    /// Until when the others are known to have been so.
    var confirmed: [String: Date] = [:]
    var silenceTimer: Task<Void, Never>?
    var observers: [Int: AsyncStream<ConnectionState>.Continuation] = [:]
    var next = 0

    var asOf: Date? { shown.values.min() ?? lastAnswer }

    /// From now on the current pages are only known to have been so until then.
    mutating func end(at date: Date?) {
      if let date { for page in current { confirmed[page] = date } }
      current = []
    }
  }

  /// A request that is under way.
  struct Attempt {
    /// How often the server had answered before.
    fileprivate var answers: Int
  }

  private let facts = Mutex(Facts())
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date

  init(clock: any Clock<Duration>, now: @escaping @Sendable () -> Date) {
    self.clock = clock
    self.now = now
  }

  var state: ConnectionState { facts.withLock(\.state) }
  var shownAsOf: Date? { facts.withLock { $0.shown.values.min() } }
  var hasFailed: Bool { facts.withLock(\.hasFailed) }
  var clockLead: TimeSpan? { facts.withLock(\.clockLead) }

  /// The state now and after every change.
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

  // MARK: What requests find out

  func begin() -> Attempt {
    change { facts in
      if facts.start == nil { facts.start = now() }
      if case .reconnecting = facts.state { startSilenceTimer(&facts) }
      return Attempt(answers: facts.answers)
    }
  }

  func answered(clockLead: TimeSpan?) {
    change { facts in
      facts.clockLead = clockLead ?? facts.clockLead
      facts.answers += 1
      facts.lastAnswer = now()
      facts.hasFailed = false
      facts.silenceTimer?.cancel()
      facts.silenceTimer = nil
      facts.state = .connected
    }
  }

  /// The server is alive; whether it answers what matters, only that can tell.
  func heard() {
    change { facts in
      guard facts.state == .connected else { return }
      facts.answers += 1
      facts.lastAnswer = now()
    }
  }

  func failed(_ attempt: Attempt) {
    change { facts in
      // What was asked before the last answer says nothing of the time after it.
      guard attempt.answers == facts.answers else { return }
      facts.hasFailed = true
      guard facts.state == .connected else { return }
      facts.end(at: facts.lastAnswer)
      facts.state = .reconnecting(asOf: facts.asOf)
      startSilenceTimer(&facts)
    }
  }

  /// The account has changed, not before this date; `nil` where nobody knows since when.
  func changed(after date: Date?) { facts.withLock { $0.end(at: date) } }

  /// A page is shown as it was answered then, or as it was for as long as it had not changed.
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

  /// A page is as the server answers it now.
  func refreshed(_ page: String) {
    facts.withLock { facts in
      facts.shown[page] = nil
      facts.current.insert(page)
    }
  }

  /// Whether a page is shown that has not been answered since.
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

  /// Changes something, and tells those who observe of another state.
  private func change<Result: Sendable>(_ body: (inout Facts) -> Result) -> Result {
    facts.withLock { facts in
      let before = facts.state
      let result = body(&facts)
      // Within the lock, so that nobody hears of two states in the wrong order.
      if facts.state != before {
        for observer in facts.observers.values { observer.yield(facts.state) }
      }
      return result
    }
  }
}
