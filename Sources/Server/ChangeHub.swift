import FoundationEssentials
import ServerProtocol
import Store
import Synchronization
import Web

/// Devices that wait for a change of their account. Each is a closure in a list; one task checks
/// all of their deadlines.
final class ChangeHub: Sendable {
  /// A device that waits. The cursor that it waits after is in its request.
  private struct Waiter {
    var answer: WebServer.ParkedAnswer
    var end: ContinuousClock.Instant
  }

  private struct Contents {
    var waiters: [Int: [Waiter]] = [:]
    /// The number of notifications so far.
    var notificationCount = 0
    /// The last notification of each account, and of all accounts that aren't listed.
    var lastNotifications: [Int: Int] = [:]
    var lastNotificationOfAll = 0
    /// The cursor of the last notification.
    var cursor = ""
    /// The state of the watch when it was last checked; `nil` before the first check.
    var watch: String?
    var isEnded = false

    func after(_ cursor: String) -> String { cursor + "." + (watch ?? "") }
  }

  /// The longest wait of a device: less than the minute after which proxies give up.
  static let waitLimit = Duration.seconds(50)
  /// The largest number of devices of one account; with more, the one that came first is answered.
  static let limit = 64

  /// The largest number of accounts whose last notification is known separately.
  private static let lastNotificationsLimit = 10_000

  private let contents = Mutex(Contents())

  /// The number of devices that wait.
  var count: Int { contents.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

  /// The number of notifications so far, to compare after an account has been read.
  var notificationCount: Int { contents.withLock(\.notificationCount) }

  /// Makes a device wait for a change of its account.
  /// - Parameters:
  ///   - tellings: The number of notifications before the account was read. One about it since then
  ///     wakes the device at once.
  ///   - watch: The state of the watch that the device knows. If it has changed, that wakes the
  ///     device at once, too.
  func add(
    _ account: Int, since notificationCount: Int, watch: String?, now: ContinuousClock.Instant,
    _ answer: @escaping WebServer.ParkedAnswer
  ) {
    let waiter = Waiter(answer: answer, end: now + Self.waitLimit)
    let answered = contents.withLock { contents -> (waiter: Waiter, after: String?)? in
      if contents.isEnded { return (waiter, nil) }
      if max(contents.lastNotifications[account] ?? 0, contents.lastNotificationOfAll)
        > notificationCount
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

  /// Records the state of the watch. It belongs to no account: if it has changed, all devices are
  /// answered (WCH-1).
  func note(watch: String) {
    let hasChanged = contents.withLock { contents in
      defer { contents.watch = watch }
      return contents.watch != nil && contents.watch != watch
    }
    // Without a cursor: a device that sends this one gets the current one.
    if hasChanged { notify(nil, after: "") }
  }

  /// Whether the watch wasn't checked yet.
  var knowsNoWatch: Bool { contents.withLock { $0.watch == nil } }

  /// Answers the devices that wait for some accounts, or all with `nil`.
  func notify(_ accounts: [Int]?, after cursor: String) {
    let (waiters, after) = contents.withLock { contents -> ([Waiter], String) in
      contents.notificationCount += 1
      contents.cursor = cursor
      for account in accounts ?? [] {
        contents.lastNotifications[account] = contents.notificationCount
      }
      if accounts == nil || contents.lastNotifications.count > Self.lastNotificationsLimit {
        // A device whose account is being read just now asks once more.
        contents.lastNotificationOfAll = contents.notificationCount
        contents.lastNotifications = [:]
      }
      let after = contents.after(cursor)
      guard let accounts else {
        defer { contents.waiters = [:] }
        return (contents.waiters.values.flatMap(\.self), after)
      }
      return (accounts.flatMap { contents.waiters.removeValue(forKey: $0) ?? [] }, after)
    }
    guard !waiters.isEmpty else { return }
    let response = Self.response(after: after)
    for waiter in waiters { waiter.answer { _ in response } }
  }

  /// Answers every device, including those that come later: they must ask another server.
  func end() {
    let waiters = contents.withLock { contents -> [Waiter] in
      contents.isEnded = true
      defer { contents.waiters = [:] }
      return contents.waiters.values.flatMap(\.self)
    }
    for waiter in waiters { waiter.answer(Self.unchanged) }
  }

  /// Answers the devices that have waited long enough.
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

  /// Says that nothing has changed: the device goes on from the cursor that it has.
  private static let unchanged: WebServer.QueryResponse = { response(after: $0["after"] ?? "") }

  /// Returns the answer with the cursor that the device continues from.
  /// - Parameter cursor: The store's cursor: letters, digits, `-` and `_`. The state of the watch
  ///   is appended, so that a device that comes back doesn't miss a change of that either.
  func response(after cursor: String) -> WebResponse {
    Self.response(after: contents.withLock { $0.after(cursor) })
  }

  private static func response(after: String) -> WebResponse {
    WebResponse(
      status: 200, data: (try? JSONEncoder().encode(["after": after])) ?? Data(),
      type: "application/json")
  }
}
