import Clients
import Composable
import Domain
import FoundationEssentials
import Testing

@testable import Monitor

@Suite struct DeliveryPolicyTests {
  func delivery(
    attempt: Int = 1, _ earlier: EarlierAttempts = .init(), stage: Stage = .alertOn,
    alert: Alert? = nil
  ) -> ClaimedDelivery {
    var delivery = ClaimedDelivery(
      id: UUID(), token: UUID(), attempt: attempt, stage: stage, recipient: .contact(.bob),
      recipientName: "Bob", channel: .email, address: "bob@example.org", plannedAt: start,
      user: .ada(), alert: alert)
    delivery.earlier = earlier
    return delivery
  }

  func delay(
    _ outcome: DeliveryOutcome, _ delivery: ClaimedDelivery, at now: Date = start,
    seed: UInt64 = 1
  ) -> Double? {
    var random = SplitMix64(seed: seed)
    return DeliveryPolicy.standard.nextAttempt(
      after: outcome, of: delivery, now: now, random: &random
    ).map { $0.timeIntervalSince(now) }
  }

  /// The pauses in minutes after attempts that all end the same way, to the last.
  func pauses(_ outcome: DeliveryOutcome, limit: Int = 8) -> [Double] {
    var earlier = EarlierAttempts()
    var pauses: [Double] = []
    for attempt in 1...limit {
      guard let pause = delay(outcome, delivery(attempt: attempt, earlier)) else { break }
      pauses.append(pause / 60)
      earlier = earlier.adding(outcome)
    }
    return pauses
  }

  static let busy = DeliveryOutcome.retry(reason: "busy", after: nil)
  static let limited = DeliveryOutcome.limited(reason: "limit of the day")
  static let unclear = DeliveryOutcome.ambiguous(reason: "cut")
  static let unknown = DeliveryOutcome.permanent(reason: "no such user")

  @Test(
    "CHN-2: a temporary failure is retried after 0.5 s, then doubling to 5 min (limits: 15 min)",
    arguments: [
      (1, 0.5, 0.5), (2, 1, 1), (3, 2, 2), (4, 4, 4), (5, 8, 8), (10, 256, 256), (11, 300, 512),
      (12, 300, 900), (50, 300, 900), (Int.max, 300, 900),
    ] as [(Int, Double, Double)])
  func growth(attempt: Int, expected: Double, limited: Double) throws {
    for (outcome, expected, ceiling) in [
      (Self.busy, expected, 300.0), (Self.limited, limited, 900.0),
    ] {
      var delays: Set<Double> = []
      for seed in UInt64(0)..<100 {
        let delay = try #require(self.delay(outcome, delivery(attempt: attempt), seed: seed))
        #expect(delay >= expected * 0.799 && delay <= min(ceiling, expected * 1.201))
        delays.insert(delay)
      }
      #expect(delays.count > 10, "many that failed together must not come back together")
    }
  }

  @Test("CHN-2: a Retry-After is obeyed up to 5 minutes and never shortens the wait")
  func wish() throws {
    for outcome in [
      DeliveryOutcome.retry(reason: "busy", after: .seconds(90)),
      .limited(reason: "busy", after: .seconds(90)),
    ] { #expect(delay(outcome, delivery()) == 90) }
    #expect(delay(.retry(reason: "busy", after: .days(1)), delivery()) == 300)
    #expect(delay(.limited(reason: "busy", after: .days(1)), delivery()) == 300)
    #expect(try #require(delay(.retry(reason: "busy", after: .zero), delivery())) >= 0.4)
    let policy = DeliveryPolicy.standard
    #expect(policy.pause(after: .retry(reason: "", after: .days(1)), refusals: 0) == .minutes(5))
    #expect(
      policy.pause(after: .limited(reason: "", after: .minutes(1)), refusals: 0) == .minutes(1))
    #expect(policy.pause(after: Self.busy, refusals: 0) == nil)
  }

  @Test(
    "CHN-2: a message that may have been sent is sent again after 2, 10 and 30 min, then no more"
  )
  func ambiguous() {
    #expect(pauses(Self.unclear) == [2, 10, 30])
    // Passing faults in between don't earn it further copies.
    let earlier = EarlierAttempts().adding(Self.unclear).adding(Self.busy).adding(Self.unclear)
      .adding(Self.busy).adding(Self.unclear).adding(Self.busy)
    #expect(delay(Self.unclear, delivery(attempt: 7, earlier)) == nil)
    #expect(delay(Self.busy, delivery(attempt: 7, earlier)) != nil)
  }

  @Test("CHN-2: an unknown recipient is tried twice, an hour apart")
  func unknownRecipient() {
    #expect(pauses(Self.unknown) == [60])
    // A server that was unreachable in between says it for the first time.
    let earlier = EarlierAttempts().adding(Self.unknown).adding(Self.busy)
    #expect(delay(Self.unknown, delivery(attempt: 3, earlier)) == 3_600)
  }

  @Test(
    "CHN-2: a refused login is retried after 5, 10, 20 and 40 min, then every 60 min"
  )
  func accessRefused() {
    let policy = DeliveryPolicy.standard
    let refused = DeliveryOutcome.accessRefused(reason: "535")
    #expect(
      (1...7).map { policy.pause(after: refused, refusals: $0) } == [
        .minutes(5), .minutes(10), .minutes(20), .minutes(40), .minutes(60), .minutes(60),
        .minutes(60),
      ])
    #expect(policy.pause(after: .misconfigured(reason: "no AUTH"), refusals: 9) == .minutes(1))
    for outcome in [DeliveryOutcome.sent, Self.unknown, Self.unclear, Self.limited] {
      #expect(policy.pause(after: outcome, refusals: 1) == nil)
    }
    // A policy that a server applies to one recipient holds up nobody else.
    let one = DeliveryOutcome.accessRefused(reason: "5.7.1", scope: .message)
    #expect(policy.pause(after: one, refusals: 1) == nil)
    #expect(pauses(one, limit: 7) == [5, 10, 20, 40, 60, 60, 60])
  }

  @Test(
    "CHN-2: after 24 h an alert is retried hourly until it ends; other messages are given up"
  )
  func lifetime() {
    let end = start + .hours(24)
    let alert = Alert(id: UUID(), kind: .manual, raisedAt: start)
    #expect(delay(Self.busy, delivery(), at: end - .seconds(1)) != nil)
    #expect(delay(Self.busy, delivery(), at: end) == nil)
    #expect(delay(Self.busy, delivery(alert: alert), at: end) == 3_600)
    #expect(delay(Self.limited, delivery(attempt: 90, alert: alert), at: end + .days(9)) == 3_600)
    #expect(delay(Self.busy, delivery(stage: .allClear, alert: alert), at: end) == nil)
    var over = alert
    over.resolvedAt = end
    #expect(delay(Self.busy, delivery(alert: over), at: end) == nil)
    // The message never had a chance.
    #expect(delay(.misconfigured(reason: "password"), delivery(), at: start + .days(30)) == 60)
  }

  @Test("CHN-2: a drill's message is given up after 2 minutes, whatever failed")
  func drill() {
    let drill = delivery(alert: Alert(id: UUID(), kind: .drill, raisedAt: start))
    #expect(delay(Self.busy, drill, at: start + .minutes(2) - .seconds(1)) != nil)
    for outcome in [
      Self.busy, Self.limited, Self.unclear, Self.unknown, .accessRefused(reason: "535"),
      .misconfigured(reason: "no password"),
    ] { #expect(delay(outcome, drill, at: start + .minutes(2)) == nil, "\(outcome)") }
    #expect(delay(Self.unclear, drill, at: start + .seconds(1)) == nil)
    #expect(delay(.misconfigured(reason: "no password"), drill, at: start) == 60)
  }

  @Test("CHK-6: the message that a drill is over is retried for 24 h, like other messages")
  func endOfDrill() {
    var end = delivery(alert: Alert(id: UUID(), kind: .drill, raisedAt: start, resolvedAt: start))
    end.stage = .alertOff
    #expect(delay(Self.busy, end, at: start + .hours(23)) != nil)
    #expect(delay(Self.busy, end, at: start + .hours(24)) == nil)
  }
}
