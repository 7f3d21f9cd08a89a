import FoundationEssentials
import ServerProtocol
import Store
import Synchronization
import Web

/// Devices that wait for a change of their account. Each is a closure in a list; one task looks at all of
/// their times.
final class ChangeHub: Sendable {
  /// The cursor behind which a device waits is in its request.
  private struct Waiter {
    var answer: WebServer.ParkedAnswer
    var end: ContinuousClock.Instant
  }

  private struct Contents {
    var waiters: [Int: [Waiter]] = [:]
    /// How often anybody was notified.
    var tellings = 0
    /// The last telling of an account, and of all accounts that are not here.
    var told: [Int: Int] = [:]
    var allTold = 0
    /// The cursor of the last telling.
    var cursor = ""
    /// Who watched when it was last looked at; `nil` before the first look.
    var watch: String?
    var isEnded = false

    func after(_ cursor: String) -> String { cursor + "." + (watch ?? "") }
  }

  /// How long a device waits at most: less than the minute after which proxies lose patience.
  static let waitLimit = Duration.seconds(50)
  /// Devices of one account; the one that came first is answered when there are more.
  static let limit = 64

  /// Accounts whose last telling is known one by one.
  private static let toldLimit = 10_000

  private let contents = Mutex(Contents())

  /// How many wait.
  var count: Int { contents.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  /// How often anybody was notified: asked for before an account is looked at.
  var tellings: Int { contents.withLock(\.tellings) }

  /// - Parameters:
  ///   - tellings: How many there were when the account was not yet looked at. What another lane has announced
  ///     of it since wakes at once.
  ///   - watch: Who watched as far as the device knows. Where that has changed, it wakes at once too.
  func add(
    _ account: Int, since tellings: Int, watch: String?, now: ContinuousClock.Instant,
    _ answer: @escaping WebServer.ParkedAnswer
  ) {
    let waiter = Waiter(answer: answer, end: now + Self.waitLimit)
    let answered = contents.withLock { contents -> (waiter: Waiter, after: String?)? in
      if contents.isEnded { return (waiter, nil) }
      if max(contents.told[account] ?? 0, contents.allTold) > tellings
        || contents.watch != nil && contents.watch != watch
      {
        return (waiter, contents.after(contents.cursor))
      }
      contents.waiters[account, default: []].append(waiter)
      guard contents.waiters[account]!.count > Self.limit else { return nil }
      return (contents.waiters[account]!.removeFirst(), nil)
    }
    guard let answered else { return }
    guard let after = answered.after else { return answered.waiter.answer(Self.unchanged) }
    answered.waiter.answer { _ in Self.response(after: after) }
  }

  /// Notes who watches. That changes no account: when it is another than before, all are answered (WCH-1).
  func note(watch: String) {
    let hasChanged = contents.withLock { contents in
      defer { contents.watch = watch }
      return contents.watch != nil && contents.watch != watch
    }
    // Without a cursor: who asks with it learns the current one.
    if hasChanged { tell(nil, after: "") }
  }

  /// Whether nobody has looked yet who watches.
  var knowsNoWatch: Bool { contents.withLock { $0.watch == nil } }

  /// Answers those who wait for an account; `nil` for all.
  func tell(_ accounts: [Int]?, after cursor: String) {
    let (told, after) = contents.withLock { contents -> ([Waiter], String) in
      contents.tellings += 1
      contents.cursor = cursor
      for account in accounts ?? [] { contents.told[account] = contents.tellings }
      if accounts == nil || contents.told.count > Self.toldLimit {
        // Who is being looked at just now asks once more.
        contents.allTold = contents.tellings
        contents.told = [:]
      }
      let after = contents.after(cursor)
      guard let accounts else {
        defer { contents.waiters = [:] }
        return (contents.waiters.values.flatMap(\.self), after)
      }
      return (accounts.flatMap { contents.waiters.removeValue(forKey: $0) ?? [] }, after)
    }
    guard !told.isEmpty else { return }
    let response = Self.response(after: after)
    for waiter in told { waiter.answer { _ in response } }
  }

  /// Answers everybody, also who comes later: they have to ask another server.
  func end() {
    let waiters = contents.withLock { contents -> [Waiter] in
      contents.isEnded = true
      defer { contents.waiters = [:] }
      return contents.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.answer(Self.unchanged) }
  }

  /// Answers those who have waited long enough.
  func sweep(now: ContinuousClock.Instant) {
    let tired = contents.withLock { contents -> [Waiter] in
      var tired: [Waiter] = []
      for (account, line) in contents.waiters where line.contains(where: { $0.end <= now }) {
        tired += line.filter { $0.end <= now }
        let rest = line.filter { $0.end > now }
        contents.waiters[account] = rest.isEmpty ? nil : rest
      }
      return tired
    }
    for waiter in tired { waiter.answer(Self.unchanged) }
  }

  /// Nothing came: the device goes on behind what it knows.
  private static let unchanged: WebServer.QueryResponse = { response(after: $0["after"] ?? "") }

  /// - Parameter cursor: One that the store made: letters, digits, `-` and `_`. What the device gets has who
  ///   watches behind it, so that one who comes back missed nothing of that either.
  func response(after cursor: String) -> WebResponse {
    Self.response(after: contents.withLock { $0.after(cursor) })
  }

  private static func response(after: String) -> WebResponse {
    WebResponse(
      status: 200, data: (try? JSONEncoder().encode(["after": after])) ?? Data(),
      type: "application/json")
  }
}
