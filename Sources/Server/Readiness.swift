import Clients
import Domain
import FoundationEssentials
import Store

/// Whether the server can write its store and is watched.
///
/// Anyone can ask, and the answer takes a write, so it is the same for a second, and requests
/// that come in between wait for the same check.
actor Readiness {
  typealias Result = (isWritable: Bool, isWatched: Bool, monitors: Int, problem: MonitorProblem?)

  private let check: @Sendable () async -> Result?
  private let now: @Sendable () -> Date
  private var last: (check: Task<Result?, Never>, date: Date)?

  init(now: @escaping @Sendable () -> Date, check: @escaping @Sendable () async -> Result?) {
    self.now = now
    self.check = check
  }

  /// Returns the result of the latest check; `nil` if the store can't be written.
  func latest() async -> Result? {
    let date = now()
    if let last, abs(date.timeIntervalSince(last.date)) < 1 { return await last.check.value }
    let check = Task { [check] in await check() }
    last = (check, date)
    return await check.value
  }
}
