import Clients
import Composable
import Domain
import FoundationEssentials

/// The loop's turns, and what it remembers from one to the next.
struct Turns<Time: Clock> where Time.Duration == Duration {
  private let loop: MonitorLoop<Time>
  private var nextHeartbeat: Time.Instant
  private var toldProblem: String?
  private var failures = 0
  /// Accounts that could not be planned, so that each is logged once and not every second.
  private var failingAccounts: [User.ID: StorageError] = [:]
  private var lastLook: (date: Date, instant: Time.Instant)
  /// How long to sleep after the last turn unless something happens.
  private(set) var pause = Duration.zero
  /// Ends the sleep.
  var timer: Task<Void, Never>?

  init(loop: MonitorLoop<Time>) {
    self.loop = loop
    nextHeartbeat = loop.clock.now
    lastLook = (loop.now, loop.clock.now)
  }

  /// Heartbeat, plans, claims.
  ///
  /// A store that fails is tried again after a while; what fails for one account or in one step does
  /// not keep the others from their turn (ESC-6).
  /// - Returns: what has to be sent now, at most `free`.
  mutating func next(free: Int, problem sendProblem: String?) async -> [ClaimedDelivery] {
    noticeJump()
    let readiness = await loop.courier.readiness()
    let problem = readiness.problem ?? sendProblem
    var hasFailed = false
    var claimed: [ClaimedDelivery] = []
    do throws(StoreFailure) {
      try await beat(problem)
    } catch { hasFailed = true }
    do throws(StoreFailure) {
      report(try await loop.plan(now: loop.now))
      var isWaiting = false
      if readiness.canDeliver, free > 0, try await hasWork(), !Task.isCancelled {
        claimed = try await loop.claim(now: loop.now, ClaimRequest(limit: free))
        isWaiting = claimed.isEmpty
      } else {
        isWaiting = !readiness.canDeliver
      }
      pause = try await pauseUntilNextWake(isWaiting: isWaiting)
    } catch { hasFailed = true }
    failures = hasFailed ? failures + 1 : 0
    if hasFailed { pause = .seconds(min(30, 1 << min(failures - 1, 5))) }
    return claimed
  }

  private mutating func report(_ errors: [User.ID: StorageError]) {
    for (id, error) in errors where failingAccounts[id] != error {
      loop.log.error("account \(id.short) could not be planned: \(error.text.code)")
    }
    failingAccounts = errors
  }

  private mutating func beat(_ problem: String?) async throws(StoreFailure) {
    guard loop.clock.now >= nextHeartbeat || problem != toldProblem else { return }
    if let problem, problem != toldProblem { loop.log.warning("cannot deliver: \(problem)") }
    if problem == nil, toldProblem != nil { loop.log.info("can deliver again") }
    _ = try await loop.beat(problem: problem)
    toldProblem = problem
    nextHeartbeat = loop.clock.now.advanced(by: loop.pace.heartbeat)
  }

  private func hasWork() async throws(StoreFailure) -> Bool {
    guard let wake = try await loop.nextWake() else { return false }
    return wake <= loop.now
  }

  /// - Parameter isWaiting: whether something is due that cannot be done now; the store goes on
  ///   naming its time, so that a short pause has to do.
  private func pauseUntilNextWake(isWaiting: Bool) async throws(StoreFailure) -> Duration {
    let untilHeartbeat = max(.zero, loop.clock.now.duration(to: nextHeartbeat))
    guard let wake = try await loop.nextWake() else { return untilHeartbeat }
    let seconds = wake.timeIntervalSince(loop.now)
    if seconds > 0 { return min(untilHeartbeat, .milliseconds(Int64(seconds * 1_000) + 1)) }
    return min(untilHeartbeat, isWaiting ? .seconds(1) : untilHeartbeat)
  }

  /// ESC-5: says when the wall clock and the machine's own went apart.
  private mutating func noticeJump() {
    let (date, instant) = (loop.now, loop.clock.now)
    let elapsed = lastLook.instant.duration(to: instant).components
    let passed = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    let jump = date.timeIntervalSince(lastLook.date) - passed
    if abs(jump) > 120 {
      loop.log.warning("the wall clock jumped by \(Int(jump)) s to \(date.rfc3339)")
    }
    lastLook = (date, instant)
  }
}
