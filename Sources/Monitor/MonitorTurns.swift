import Clients
import Composable
import Domain
import FoundationEssentials

/// Runs the loop's turns, and keeps what it remembers from one turn to the next.
struct MonitorTurns<Time: Clock> where Time.Duration == Duration {
  private let loop: MonitorLoop<Time>
  private var nextHeartbeat: Time.Instant
  /// The number of other monitors.
  private var others = 0
  /// When the lease of the messages claimed last ends, at the earliest.
  private(set) var leaseEnd: Time.Instant
  /// The problem that the store, and so the app, was last told about.
  private(set) var reportedProblem: MonitorProblem?
  private var failures = 0
  /// How many turns in a row found something due that can't be done now.
  private var waits = 0
  /// Why the store fails turn after turn, although heartbeats reach it.
  private var repeatedStoreFailure: String?
  /// Whether the store did its part in the last turn.
  var isHealthy: Bool { failures == 0 }
  /// The accounts that could not be planned, so that each failure is logged once and not every
  /// second.
  private var failingAccounts: [User.ID: StorageError] = [:]
  /// The way that mail took when messages were last claimed.
  private var lastMailRoute: String?
  private var acceptedJumps = 0
  /// When this monitor last read the clock.
  private var lastClockReading: Date?
  /// When watching resumed after a gap, until the store knows (ESC-4).
  private var gapEnd: Date?
  /// How long to sleep after the last turn unless something happens.
  private(set) var pause = Duration.zero
  /// The task that ends the sleep.
  var timer: Task<Void, Never>?

  init(loop: MonitorLoop<Time>) {
    self.loop = loop
    nextHeartbeat = loop.clock.now
    leaseEnd = loop.clock.now
  }

  /// Takes a turn: sends the heartbeat, plans and claims.
  ///
  /// If the store fails, it is tried again after a while. If one account or step fails, the others
  /// still get their turn (ESC-6).
  /// - Parameters:
  ///   - load: The messages being sent.
  ///   - sendProblems: The problems that the latest answers showed.
  /// - Returns: The messages to send now.
  mutating func next(
    _ load: Sends.Load = .init(), problems sendProblems: [Channel.Kind: String] = [:]
  ) async -> [ClaimedDelivery] {
    noticeGap()
    var readiness = await loop.deliveryService.readiness()
    readiness.problems.merge(sendProblems) { own, _ in own }
    if let repeatedStoreFailure {
      // It concerns everyone who gets messages (WCH-1).
      for kind in Channel.Kind.allCases { readiness.problems[kind] = repeatedStoreFailure }
    }
    let isDamaged = loop.inspection?.damage != nil
    loop.memory?.setDamaged(isDamaged)
    if let memory = loop.memory, await !memory.isStoreBack() {
      memory.setSpooledAlerts(await loop.store.spooled())
      return await workFromMemory(memory, loop.request(readiness, load))
    }
    // A locked store is slow to refuse, so armed alerts go before anything else.
    if await loop.takeSpooled(), let memory = loop.memory, memory.turnEnded() {
      return await workFromMemory(memory, loop.request(readiness, load))
    }
    var hasFailed = false
    var claimed: [ClaimedDelivery] = []
    var storeError: StorageError?
    do throws(LoggedFailure) {
      try await beat(readiness)
    } catch { hasFailed = true }
    noticeGap()  // The machine may have slept in the meantime.
    do throws(LoggedFailure) {
      let planned = try await loop.plan(now: loop.now, gapEnd: gapEnd)
      report(planned.errors)
      var request = loop.request(readiness, load)
      if others > 0 { loop.backoff.apply(to: &request, at: loop.now) }
      var isWaiting = readiness.kinds.isEmpty
      var hasWork = try await hasWork()
      if hasWork || sendProblems[.email] != nil {
        request.mail = await mailRoute()
        if request.mail?.isNew == true { hasWork = true }
      }
      if !readiness.kinds.isEmpty, request.limit > 0, hasWork, !Task.isCancelled {
        holdFromNow()
        claimed = try await loop.claim(now: loop.now, request)
        lastMailRoute = request.mail?.key ?? lastMailRoute
        isWaiting = claimed.isEmpty
        waits = isWaiting ? waits + 1 : 0
      }
      pause = try await pauseUntilNextWake(isWaiting: isWaiting)
      // By then what is under way counts as slow, and leaves room.
      if request.limit == 0 { pause = min(pause, loop.pace.slowness) }
      if !planned.isFinished { pause = .zero }
    } catch {
      hasFailed = true
      storeError = error.cause
    }
    if hasFailed { backOff() } else { failures = 0 }
    repeatedStoreFailure =
      failures > 1 ? storeError.map { "the store failed (\($0.text.code))" } : nil
    lastClockReading = loop.now
    if let memory = loop.memory {
      let isRefused = memory.turnEnded()
      if isRefused || isDamaged {
        var request = loop.request(readiness, load)
        request.limit = max(0, request.limit - claimed.count)
        claimed += await workFromMemory(memory, request, servesAll: isRefused)
      }
      if claimed.isEmpty { await memory.readSecrets() }
    }
    if let longest = loop.service?.longestSilence { pause = min(pause, longest) }
    return claimed
  }

  private mutating func holdFromNow() {
    leaseEnd = loop.clock.now.advanced(by: .seconds(loop.pace.lease.seconds))
  }

  /// Takes a turn without the store, which refuses writes.
  private mutating func workFromMemory(
    _ memory: FallbackMonitor<Time>, _ request: ClaimRequest, servesAll: Bool = true
  ) async -> [ClaimedDelivery] {
    holdFromNow()
    var request = request
    request.mail = await mailRoute()
    do throws(LoggedFailure) {
      let turn = try await loop.workFromMemory(
        memory, request, gapEnd: gapEnd, servesAll: servesAll)
      // This process did its part, even though the store did not.
      failures = 0
      pause = turn.pause
      return turn.messages
    } catch {
      backOff()
      return []
    }
  }

  /// Doubles the pause after each failure, up to half a minute.
  private mutating func backOff() {
    failures += 1
    pause = .seconds(min(30, 1 << min(failures - 1, 5)))
  }

  private mutating func report(_ errors: [User.ID: StorageError]) {
    for (id, error) in errors where failingAccounts[id] != error {
      loop.log.error("account \(id.short) could not be planned: \(error.text.code)")
    }
    failingAccounts = errors
  }

  private mutating func beat(_ readiness: DeliveryService.Readiness) async throws(LoggedFailure) {
    // People who rely on a damaged store must be able to see that no monitor watches it (WCH-1,
    // WCH-2).
    guard loop.inspection?.damage == nil, !loop.isLeaving() else { return }
    let problem = readiness.problem
    guard loop.clock.now >= nextHeartbeat || problem != reportedProblem else { return }
    if let problem, problem != reportedProblem {
      if problem.isBlocking {
        loop.log.warning("cannot send: \(problem.text)")
      } else {
        loop.log.warning("settings not applied: \(problem.text)")
      }
    }
    if problem?.isBlocking != true, reportedProblem?.isBlocking == true {
      loop.log.info("can send again")
    }
    others = try await loop.beat(readiness)
    gapEnd = nil
    reportedProblem = problem
    nextHeartbeat = loop.clock.now.advanced(by: loop.pace.heartbeat)
  }

  /// The way that mail takes, marked if it is new to the store or has changed.
  private func mailRoute() async -> MailRoute? {
    guard var route = await loop.deliveryService.mailRoute() else { return nil }
    route.isNew = route.key != lastMailRoute
    return route
  }

  private func hasWork() async throws(LoggedFailure) -> Bool {
    guard let wake = try await loop.nextWake() else { return false }
    return wake <= loop.now
  }

  /// - Parameter isWaiting: Whether something is due that can't be done now. The store keeps naming
  ///   its time, so the loop pauses instead, for longer and longer: a refused login can last for
  ///   hours.
  private func pauseUntilNextWake(isWaiting: Bool) async throws(LoggedFailure) -> Duration {
    // Heartbeats stop while the store is damaged.
    let untilHeartbeat =
      loop.inspection?.damage == nil
      ? max(.zero, loop.clock.now.duration(to: nextHeartbeat)) : loop.pace.heartbeat
    guard let wake = try await loop.nextWake() else { return untilHeartbeat }
    let seconds = wake.timeIntervalSince(loop.now)
    if seconds > 0 { return min(untilHeartbeat, .milliseconds(Int(bounded: seconds * 1_000) + 1)) }
    guard isWaiting else { return untilHeartbeat }
    return min(untilHeartbeat, .seconds(1 << min(max(0, waits - 1), 3)))
  }

  /// Makes the next heartbeat immediate after a gap in the watch, because the machine slept (ESC-4)
  /// or the wall clock was set and the new time is trusted (ESC-5).
  private mutating func noticeGap() {
    let now = loop.now
    let isNewTime = loop.time.acceptedJumps != acceptedJumps
    acceptedJumps = loop.time.acceptedJumps
    let silence = lastClockReading.map { abs(now.timeIntervalSince($0)) } ?? 0
    lastClockReading = now
    guard isNewTime || silence > Double(WatchStatus.longestGap.seconds) else { return }
    gapEnd = now
    nextHeartbeat = loop.clock.now
  }
}
