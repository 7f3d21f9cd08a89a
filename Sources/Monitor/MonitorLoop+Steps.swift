import Clients
import Composable
import Cryptography
import Domain
import FoundationEssentials
import Synchronization

/// A store failure that has already been logged.
struct LoggedFailure: Error {
  let cause: StorageError
}

/// The steps of a turn. Each logs its own failure.
extension MonitorLoop {
  /// Records that this monitor is alive.
  /// - Returns: How many other monitors are.
  func beat(_ readiness: DeliveryService.Readiness) async throws(LoggedFailure) -> Int {
    do {
      let others = try await store.heartbeat(
        id, { self.now }, pace.heartbeatLease, readiness.problem)
      memory?.noteSeen()
      deliveryService.heartbeat(readiness.problems)
      return others
    } catch { throw failure("recording its heartbeat", error) }
  }

  /// Gives the store the armed alerts that wait in files (ALT-7). Alerts it refuses are raised from
  /// memory.
  /// - Returns: Whether it refused any that isn't silent. A refused silent alert must change
  ///   nothing that can be seen.
  @discardableResult
  func takeSpooled() async -> Bool {
    var left: [SpooledAlert] = []
    for alert in await store.spooled() {
      do { try await store.takeSpooled(alert) } catch {
        left.append(alert)
        // A log line would reveal that there is one (ALT-9).
        if alert.silent == nil {
          _ = failure("taking an armed alert", error)
        } else {
          memory?.note(error)
        }
      }
    }
    memory?.setSpooledAlerts(left)
    return left.contains { $0.silent == nil }
  }

  /// The result of planning.
  struct Planned {
    /// The errors of the accounts that failed.
    var errors: [User.ID: StorageError] = [:]
    /// Whether no account is left that needs planning.
    var isFinished = true
  }

  /// Plans the accounts that need it at `now`. The number is limited, so that after an outage
  /// messages go out in the meantime.
  ///
  /// An account that fails, or that needs planning again and again, is left for the next turn.
  /// - Parameter gapEnd: When watching resumed after a gap that could not be stored yet.
  func plan(now: Date, gapEnd: Date? = nil) async throws(LoggedFailure) -> Planned {
    let batch = 100
    var errors: [User.ID: StorageError] = [:]
    var tries: [User.ID: Int] = [:]
    let jumps = time.acceptedJumps
    for _ in 0..<5 {
      let left = tries.values.count { $0 >= 3 }
      let accounts = try await due(now, limit: left + batch).filter {
        tries[$0.user.id, default: 0] < 3
      }
      // `now` was read by the old time, and the accounts by the new one (ESC-5).
      guard time.acceptedJumps == jumps else { break }
      guard !accounts.isEmpty else { return Planned(errors: errors) }
      let plans = accounts.map { account in
        var account = account
        if let gapEnd { account.watchedSince = max(account.watchedSince ?? gapEnd, gapEnd) }
        tries[account.user.id, default: 0] += 1
        if account.checkSetTime() {
          log.warning(
            "account \(account.user.id.short): the stored set time differs from this machine's zone data"
          )
        }
        memory?.note(account)
        return AccountPlan(
          account: account.user.id, revision: account.revision,
          plan: Planner.plan(
            account, now: now, makeID: { UUID(ofMissedAlertOf: account.user) }))
      }
      for ((account, plan), result) in zip(zip(accounts, plans), await apply(plans, now)) {
        switch result {
        case .success(let isApplied):
          if isApplied { noteWatch(of: account) }
          if isApplied, plan.plan.outingAlert != nil {
            log.info("account \(plan.account.short) isn't back from an outing")
          }
          if isApplied, let alert = plan.plan.missedAlert {
            log.info("account \(plan.account.short) missed deadline \(alert.sequence ?? 0)")
          }
        case .failure(let error):
          tries[plan.account] = 3
          errors[plan.account] = error
          memory?.note(error)
        }
      }
    }
    return Planned(errors: errors, isFinished: false)
  }

  /// Returns the capacity left beside the messages being sent. Retries use at most half of it,
  /// because they are more likely to fail than first attempts.
  func request(
    _ readiness: DeliveryService.Readiness, _ load: Sends.Load = .init()
  ) -> ClaimRequest {
    let running = load.busy.values.reduce(0, +) - min(load.slow, pace.slowConcurrency)
    return ClaimRequest(
      limit: max(0, pace.concurrency - running),
      retryLimit: max(0, max(1, pace.concurrency / 2) - running), kinds: readiness.kinds,
      limitPerDestination: pace.concurrencyPerDestination, busy: load.busy)
  }

  func claim(
    now: Date, lease: TimeSpan? = nil, _ request: ClaimRequest
  ) async throws(LoggedFailure) -> [ClaimedDelivery] {
    do { return try await store.claim(now, lease ?? pace.lease, request) } catch {
      throw failure("claiming", error)
    }
  }

  func nextWake() async throws(LoggedFailure) -> Date? {
    do { return try await store.nextWake() } catch { throw failure("looking ahead", error) }
  }

  /// Sends a message, then records the outcome.
  /// - Parameter leaseEnd: When the claim ends. If the machine has slept past it, another monitor
  ///   may hold the message by now. `nil` for a lease that begins now.
  /// - Returns: The outcome, and whether it is recorded; if not, the message will be sent again.
  @discardableResult
  func send(
    _ delivery: ClaimedDelivery, until leaseEnd: Time.Instant? = nil
  ) async -> (outcome: DeliveryOutcome, isKnown: Bool) {
    let lease = Lease<Time>(until: leaseEnd ?? clock.now.advanced(by: .seconds(pace.lease.seconds)))
    guard clock.now < lease.end else {
      if delivery.isLogged {
        log.warning("delivery \(delivery.id.short) was claimed too long ago and is not sent")
      }
      let outcome = DeliveryOutcome.retry(reason: "It was claimed too long ago.", after: nil)
      _ = remember(outcome, of: delivery)
      return (outcome, true)
    }
    let known = memory?.outcome(of: delivery)
    let outcome = if let known { known } else { await attempt(delivery, under: lease) }
    if delivery.isLogged {
      log.info(
        "delivery \(delivery.id.short) \(delivery.stage.storageKey)"
          + " attempt \(delivery.attempt): \(outcome.logText)")
    }
    if remember(outcome, of: delivery) { return (outcome, true) }
    return (outcome, await record(outcome, of: delivery, until: lease.end))
  }

  /// Makes one attempt, and renews its claim for as long as it takes. If another monitor has the
  /// message by now, or this one shuts down, it asks the attempt to stop; what has been handed over
  /// to a server comes to its end.
  private func attempt(
    _ delivery: ClaimedDelivery, under lease: Lease<Time>
  ) async -> DeliveryOutcome {
    let sending = Task(executorPreference: executor, priority: .high) {
      await attempt(delivery)
    }
    let renewal = Task(executorPreference: executor) {
      if await !keep(lease, of: delivery) { sending.cancel() }
    }
    defer { renewal.cancel() }
    return await withTaskCancellationHandler {
      await sending.value
    } onCancel: {
      sending.cancel()
    }
  }

  /// Renews a claim until the task is cancelled.
  /// - Returns: `false` once another monitor has the message.
  private func keep(_ lease: Lease<Time>, of delivery: ClaimedDelivery) async -> Bool {
    let length = Duration.seconds(pace.lease.seconds)
    while (try? await clock.sleep(for: length / 3)) != nil {
      // What was begun from memory has no claim in the store.
      if memory?.isHolding(delivery) == true { continue }
      let end = clock.now.advanced(by: length)
      do throws(StorageError) {
        guard try await store.renew(delivery.id, delivery.token, now + pace.lease) else {
          return false
        }
        lease.extend(to: end)
      } catch {
        // While the store can't be written, no other monitor can take the message either.
        memory?.note(error)
      }
    }
    return true
  }

  /// Makes one attempt, or pretends to while a silent alert is on (ALT-8, CHK-3).
  private func attempt(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    guard let pretendedResult = delivery.pretendedResult else {
      return await deliveryService.deliver(delivery)
    }
    try? await clock.sleep(for: pretendedResult.duration)
    return pretendedResult.outcome
  }

  /// Records an outcome, retrying until the lease ends: until then no other monitor sends the
  /// message.
  /// - Returns: Whether it was recorded.
  private func record(
    _ outcome: DeliveryOutcome, of delivery: ClaimedDelivery, until end: Time.Instant
  ) async -> Bool {
    let now = now
    let retryAt = random {
      DeliveryPolicy.standard.nextAttempt(after: outcome, of: delivery, now: now, random: &$0)
    }
    backoff.note(delivery.destination, retryAt: retryAt)
    var pause = Duration.milliseconds(250)
    while true {
      do {
        if try await !store.record(delivery.id, delivery.token, outcome, retryAt, now) {
          if delivery.isLogged {
            log.warning("delivery \(delivery.id.short) lost its lease")
          }
        }
        memory?.recorded(outcome, of: delivery, at: now)
        return true
      } catch {
        memory?.note(error)
        memory?.remember(outcome, of: delivery, at: now)
        if delivery.isLogged {
          log.error("delivery \(delivery.id.short) could not be recorded: \(error.text.code)")
        }
      }
      guard clock.now.advanced(by: pause) < end, (try? await clock.sleep(for: pause)) != nil
      else { return false }
      // The store may have learnt the outcome from memory.
      if let memory, outcome == .sent, !memory.isHolding(delivery) { return true }
      pause *= 2
    }
  }

  /// Writes plans. If the store fails altogether, every plan gets the error.
  private func apply(_ plans: [AccountPlan], _ now: Date) async -> [Result<Bool, StorageError>] {
    do { return try await store.apply(plans, now) } catch {
      return plans.map { _ in .failure(error) }
    }
  }

  private func due(_ now: Date, limit: Int) async throws(LoggedFailure) -> [MonitoredAccount] {
    do { return try await store.due(now, limit) } catch { throw failure("reading", error) }
  }

  private func failure(_ what: String, _ error: StorageError) -> LoggedFailure {
    memory?.note(error)
    // While people are notified from memory, this was already logged, and further lines would
    // reveal that there is something to tell the store (ALT-9).
    if memory?.isActive != true { log.error("the store failed while \(what): \(error.text.code)") }
    return LoggedFailure(cause: error)
  }
}

/// A claim on a message, which ends unless it is renewed.
final class Lease<Time: Clock>: Sendable where Time.Duration == Duration {
  private let contents: Mutex<Time.Instant>

  init(until end: Time.Instant) { contents = Mutex(end) }

  var end: Time.Instant { contents.withLock { $0 } }
  func extend(to end: Time.Instant) { contents.withLock { $0 = max($0, end) } }
}

extension ClaimedDelivery {
  /// Whether the log has a line for the message. Alerts, other than drills, have none: someone who
  /// coerces the person could read in the log what is sent about a silent alert, and what is not
  /// sent while one is on (ALT-9). The app shows these results beside the alert.
  var isLogged: Bool { alert == nil || alert?.kind == .drill }
}

extension DeliveryOutcome {
  /// The outcome and its reason, without the addresses that a server may have repeated.
  var logText: String {
    switch self {
    case .sent: "sent"
    case .retry(let reason, _), .limited(let reason, _):
      "postponed: \(Self.hidingAddresses(in: reason))"
    case .permanent(let reason): "refused: \(Self.hidingAddresses(in: reason))"
    case .ambiguous(let reason): "ambiguous: \(Self.hidingAddresses(in: reason))"
    case .misconfigured(let reason), .accessRefused(let reason, .login):
      "wrong settings: \(Self.hidingAddresses(in: reason))"
    case .accessRefused(let reason, .message):
      "refused for now: \(Self.hidingAddresses(in: reason))"
    }
  }

  private static func hidingAddresses(in reason: String) -> String {
    reason.split(whereSeparator: \.isWhitespace)
      .map { $0.contains("@") ? "(address)" : $0 }
      .joined(separator: " ")
  }
}
