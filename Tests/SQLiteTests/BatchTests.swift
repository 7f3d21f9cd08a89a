import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

@Suite("ESC-6: plans written in one batch", .timeLimit(.minutes(1)))
struct BatchTests {
  private func store(_ place: Place, people: Int) async throws -> Opened {
    let store = try place.open()
    try await store.openAccount()
    for _ in 1..<people {
      _ = try await store.platform.openFurtherAccount(NewAccount(profile: Profile(name: "Jo")))
    }
    return store
  }

  private func plans(_ accounts: [MonitoredAccount], at now: Date) -> [AccountPlan] {
    accounts.map { account in
      AccountPlan(
        account: account.user.id, revision: account.revision,
        plan: Plan(
          missedAlert: Alert(id: UUID(), kind: .missed, raisedAt: now, sequence: 0),
          nextPlanning: now + .hours(1)))
    }
  }

  @Test("A plan that can't be written fails alone and leaves nothing behind")
  func impossiblePlan() async throws {
    let place = try Place()
    let store = try await store(place, people: 9)
    let due = try await store.monitor.due(place.now, 9)
    var plans = plans(due, at: place.now)
    // The store refuses an empty address.
    plans[4].plan.deliveries = [
      PlannedDelivery(
        occasion: .deadline(sequence: 0), stage: .deadlinePassed, recipient: .owner,
        recipientName: "", channel: .email, address: "")
    ]
    plans[6].revision += 1
    let results = try await store.monitor.apply(plans, place.now)
    for (index, result) in results.enumerated() {
      switch (index, result) {
      case (4, .failure(.serialization)), (6, .success(false)): break
      case (4, _), (6, _): Issue.record("\(index): \(result)")
      default: #expect((try? result.get()) == true)
      }
    }
    let raised = "SELECT count(*) FROM alert WHERE kind = 'missed'"
    #expect(try await store.value(Int.self, raised) == 7)
    #expect(
      try await store.monitor.due(place.now, 9).map(\.user.id)
        == [plans[4], plans[6]].map(\.account)
    )
  }

  @Test("Three unreadable accounts are set aside, and the nine others are due")
  func impossibleAccounts() async throws {
    let place = try Place()
    let store = try await store(place, people: 12)
    try await store.sql("UPDATE account SET interval = 5 WHERE key IN (3, 4, 9)")
    #expect(try await store.monitor.due(place.now, 20).count == 9)
    #expect(
      try await store.value(Int.self, "SELECT count(*) FROM account WHERE fault IS NOT NULL") == 3)
  }
}
