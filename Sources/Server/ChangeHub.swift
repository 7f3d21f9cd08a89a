import FoundationEssentials
import ServerProtocol
import Store
import Synchronization
import Web

/// Devices that wait for a change of their account. Each is a closure in a list; one task looks at all of
/// their times.
final class ChangeHub: Sendable {
  typealias Answer = @Sendable (WebResponse) -> Void

  private struct Waiter {
    var answer: Answer
    var known: Int
    var end: ContinuousClock.Instant
  }

  /// How long a device waits at most: less than the minute after which proxies lose patience.
  static let patience = Duration.seconds(50)
  /// Devices of one account; the one that came first is answered when there are more.
  static let limit = 64

  private let waiters = Mutex<[Int: [Waiter]]>([:])
  /// The last change that was announced.
  private let announced = Atomic(0)

  /// How many wait.
  var count: Int { waiters.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// - Parameter seen: The last change when the account was looked at. What was announced in the meantime, on
  ///   another lane, wakes at once.
  func add(
    _ account: Int, after known: Int, seen: Int, now: ContinuousClock.Instant,
    _ answer: @escaping Answer
  ) {
    let waiter = Waiter(answer: answer, known: known, end: now + Self.patience)
    let surplus = waiters.withLock { waiters -> Waiter? in
      waiters[account, default: []].append(waiter)
      return waiters[account]!.count > Self.limit ? waiters[account]!.removeFirst() : nil
    }
    if let surplus { surplus.answer(Self.response(after: surplus.known)) }
    let last = announced.load(ordering: .sequentiallyConsistent)
    if last > seen { tell([account], after: last) }
  }

  /// Answers those who wait for an account; `nil` for all.
  func tell(_ accounts: [Int]?, after last: Int) {
    // Before the list is looked at, since add does it the other way round.
    announced.store(last, ordering: .sequentiallyConsistent)
    let told = waiters.withLock { waiters -> [Waiter] in
      guard let accounts else {
        defer { waiters = [:] }
        return waiters.values.flatMap(\.self)
      }
      return accounts.flatMap { waiters.removeValue(forKey: $0) ?? [] }
    }
    for waiter in told { waiter.answer(Self.response(after: last)) }
  }

  /// Answers those who have waited long enough.
  func sweep(now: ContinuousClock.Instant) {
    let tired = waiters.withLock { waiters -> [Waiter] in
      var tired: [Waiter] = []
      for (account, line) in waiters where line.contains(where: { $0.end <= now }) {
        tired += line.filter { $0.end <= now }
        let rest = line.filter { $0.end > now }
        waiters[account] = rest.isEmpty ? nil : rest
      }
      return tired
    }
    for waiter in tired { waiter.answer(Self.response(after: waiter.known)) }
  }

  static func response(after number: Int) -> WebResponse {
    WebResponse(status: 200, data: Data("{\"after\":\(number)}".utf8), type: "application/json")
  }
}
