import Clients
import Domain
import FoundationEssentials

extension MonitorLoop {
  /// The result of ``runOnce()``.
  public struct Round: Equatable, Sendable {
    public var sent: Int
    /// Why messages are still waiting or were refused, each reason once.
    public var problems: [String]

    public init(sent: Int = 0, problems: [String] = []) {
      self.sent = sent
      self.problems = problems
    }
  }

  /// Plans and delivers everything that is due now, each message with one attempt.
  public func runOnce() async -> Round {
    let start = now
    let readiness = await deliveryService.readiness()
    var round = Round()
    func note(_ problem: String) {
      if !round.problems.contains(problem) { round.problems.append(problem) }
    }
    if let inspection, inspection.claimInspection() {
      _ = await inspection.inspect { now }
      if let damage = inspection.damage {
        note(StorageError.corrupt(detail: "SQLite says: \(damage).").text.sentence)
        await sendCallsFromDamagedStore(isOnce: true)
        await noticeDamage(isOnce: true)
      }
    }
    var mail = await deliveryService.mailRoute()
    mail?.isNew = true
    do throws(LoggedFailure) {
      if inspection?.damage == nil { _ = try await beat(readiness) }
      _ = await takeSpooled()
      while true {
        let planned = try await plan(now: start)
        for error in planned.errors.values { note(error.text.description) }
        // Ask for what was due at the start, so that a retry waits for the next round. The lease
        // still counts from now.
        let elapsed = TimeSpan(seconds: Int(bounded: now.timeIntervalSince(start).rounded(.up)))
        var request = request(readiness)
        request.mail = mail
        let claimed = try await claim(
          now: start, lease: .seconds(pace.lease.seconds + max(0, elapsed.seconds)),
          request)
        guard !claimed.isEmpty else {
          guard planned.isFinished else { continue }
          if readiness.kinds.count < Channel.Kind.allCases.count, let wake = try await nextWake(),
            wake <= start, let problem = readiness.problem, problem.isBlocking
          {
            note(problem.text)
          }
          break
        }
        for (delivery, outcome, isKnown) in await sendAll(claimed) {
          guard !delivery.isHidden else { continue }
          if outcome == .sent { round.sent += 1 }
          if let reason = outcome.reason { note(reason) }
          if !isKnown { note("what was sent could not be recorded, and will be sent again") }
        }
      }
    } catch {
      note(error.cause.text.sentence)
    }
    let upkeep = Upkeep(loop: self)
    if upkeep.claimBackup() { await upkeep.backUp() }
    await resign()
    return round
  }

  private func sendAll(
    _ deliveries: [ClaimedDelivery]
  ) async -> [(delivery: ClaimedDelivery, outcome: DeliveryOutcome, isKnown: Bool)] {
    await withTaskGroup(
      of: (delivery: ClaimedDelivery, outcome: DeliveryOutcome, isKnown: Bool).self
    ) { group in
      for delivery in deliveries {
        group.addTask {
          let (outcome, isKnown) = await send(delivery)
          return (delivery, outcome, isKnown)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}
