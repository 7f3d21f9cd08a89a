import Clients
import Domain
import FoundationEssentials
import TestSupport
import Testing

@testable import Monitor

@Suite struct RetryPolicyTests {
  func delivery(attempt: Int) -> ClaimedDelivery {
    ClaimedDelivery(
      id: UUID(), token: UUID(), attempt: attempt, stage: .alertOn, recipient: .contact(.bob),
      recipientName: "Bob", channel: .email, address: "bob@example.org", plannedAt: start,
      user: .ada())
  }

  func delay(
    _ outcome: DeliveryOutcome, attempt: Int = 1, at now: Date = start, seed: UInt64 = 1
  ) -> Double? {
    var random = SplitMix64(seed: seed)
    return RetryPolicy.delivery.nextAttempt(
      after: outcome, of: delivery(attempt: attempt), now: now, random: &random
    ).map { $0.timeIntervalSince(now) }
  }

  @Test(
    "CHN-2: 0.5 s, twice as long each time, ±20 %, at most 5 min",
    arguments: [
      (1, 0.5), (2, 1), (3, 2), (4, 4), (5, 8), (10, 256), (11, 300), (50, 300), (Int.max, 300),
    ] as [(Int, Double)])
  func growth(attempt: Int, expected: Double) throws {
    var delays: Set<Double> = []
    for seed in UInt64(0)..<100 {
      let delay = try #require(
        self.delay(.retry(reason: "busy", after: nil), attempt: attempt, seed: seed))
      #expect(delay >= expected * 0.799 && delay <= min(300, expected * 1.201))
      delays.insert(delay)
    }
    #expect(delays.count > 10, "many that failed together do not come back together")
    #expect(delay(.ambiguous(reason: "cut"), attempt: attempt) != nil)
  }

  @Test("CHN-2: what a server asks for is honoured, but never sooner than we would")
  func wish() throws {
    #expect(delay(.retry(reason: "busy", after: .seconds(90))) == 90)
    #expect(try #require(delay(.retry(reason: "busy", after: .zero))) >= 0.4)
  }

  @Test("CHN-2: after 24 h it is given up")
  func lifetime() {
    let end = start + .hours(24)
    #expect(delay(.retry(reason: "busy", after: nil), at: end - .seconds(1)) != nil)
    #expect(delay(.retry(reason: "busy", after: nil), at: end) == nil)
    #expect(delay(.ambiguous(reason: "cut"), attempt: 20, at: end - .seconds(1)) == nil)
  }

  @Test("CHN-2: what cannot heal stops at once; our own mistakes wait to be fixed")
  func others() {
    #expect(delay(.sent) == nil)
    #expect(delay(.permanent(reason: "no such user")) == nil)
    #expect(delay(.misconfigured(reason: "password"), at: start + .days(30)) == 60)
  }
}
