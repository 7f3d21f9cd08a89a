import Domain
import FoundationEssentials
import Testing

@testable import Monitor

/// ALT-7: any monitor that plans after an armed alert is due raises it.
struct PlannerArmedTests {
  let id = UUID()

  func account(firesIn delay: Int = 5) -> MonitoredAccount {
    var account = MonitoredAccount(
      user: .ada(email: nil), revision: 3, responders: [.bob, .cyd], alerts: [], deliveries: [])
    account.armed = ArmedAlert(
      id: id, message: "fell", armedAt: start, firesAt: start + .seconds(delay))
    return account
  }

  func plan(_ account: MonitoredAccount, at now: Date) -> Plan {
    Planner.plan(account, now: now) { UUID() }
  }

  @Test("ALT-7: an armed alert sends nothing before it is due, and is planned again then")
  func early() {
    let plan = plan(account(), at: start + .seconds(4))
    #expect(plan.raisedAlert == nil)
    #expect(plan.deliveries == [])
    #expect(plan.nextPlanning == start + .seconds(5))
  }

  @Test("ALT-7: an armed alert is raised when it is due, however late, and responders are notified")
  func due() {
    for (seconds, raised) in [(5, 5), (6, 5), (3_600, 5), (90_000, 90_000)] {
      let now = start + .seconds(seconds)
      let plan = plan(account(), at: now)
      #expect(
        plan.raisedAlert
          == Alert(id: id, kind: .manual, message: "fell", raisedAt: start + .seconds(raised)))
      // After a day the deadline is missed as well.
      let calls = plan.deliveries.filter { $0.occasion == .alert(id) }
      #expect(!calls.isEmpty && calls.allSatisfy { $0.stage == .alertOn })
    }
  }

  @Test("ALT-7, AUTH-4: the armed alert of a deleted account holds back the notice of deletion")
  func deleted() {
    var account = account()
    account.user.deletedAt = start
    #expect(plan(account, at: start + .seconds(4)).deliveries == [])
    let plan = plan(account, at: start + .seconds(5))
    #expect(plan.deliveries.allSatisfy { $0.stage == .alertOn } && !plan.deliveries.isEmpty)
  }

  @Test(
    "ALT-7, AUTH-4: an armed alert found late cancels the notices of deletion that weren't sent")
  func foundLate() {
    var account = account()
    account.user.deletedAt = start
    let finalMessages = [
      DeliveryRecord(20, .finalMessage(to: .bob), .sent),
      DeliveryRecord(21, .finalMessage(to: .cyd)),
    ]
    account.deliveries = finalMessages
    #expect(plan(account, at: start + .seconds(5)).cancelled == [finalMessages[1].id])
  }

  @Test("CHK-3: a responder removed under duress gets the silent alert and no other alert")
  func kept() {
    var account = account(firesIn: 0)
    account.responders = [.bob]
    account.respondersKeptUnderDuress = [.bob, .cyd]
    account.alerts = [Alert(id: UUID(), kind: .duress, raisedAt: start)]
    let calls = Dictionary(grouping: plan(account, at: start).deliveries, by: \.occasion)
    #expect(Set(calls[.alert(id)]!.map(\.recipientName)) == ["Bob"])
    #expect(Set(calls[.alert(account.alerts[0].id)]!.map(\.recipientName)) == ["Bob", "Cyd"])
  }

  @Test("ALT-7: two monitors that plan at different moments send the same messages")
  func twice() {
    let plans = [5, 8].map { plan(account(), at: start + .seconds($0)) }
    #expect(plans[0].deliveries == plans[1].deliveries)
    #expect(plans[0].raisedAlert?.id == plans[1].raisedAlert?.id)
    // Once the plan is applied, nothing is left to do.
    var applied = account()
    applied.armed = nil
    applied.alerts.append(plans[0].raisedAlert!)
    applied.deliveries = plans[0].deliveries.map {
      DeliveryRecord(
        id: UUID(), occasion: $0.occasion, stage: $0.stage, recipient: $0.recipient,
        channel: $0.channel, address: $0.address)
    }
    let again = plan(applied, at: start + .seconds(8))
    #expect(again.raisedAlert == nil)
    #expect(again.deliveries == [])
  }

  @Test("ESC-5: a clock set back by an hour raises an armed alert at once")
  func setBack() {
    #expect(plan(account(), at: start - .hours(1)).raisedAlert?.id == id)
    // A small difference isn't a clock set back: another monitor may have written just after this
    // one read the clock.
    #expect(plan(account(), at: start - .seconds(1)).raisedAlert == nil)
  }

  @Test("ALT-7: an armed alert is raised even if the person paused or deleted the account")
  func pausedOrDeleted() {
    var paused = account()
    paused.user.pausedAt = start
    paused.user.pausedUntil = start + .days(2)
    #expect(plan(paused, at: start + .seconds(5)).raisedAlert?.id == id)
    var deleted = account()
    deleted.user.deletedAt = start + .seconds(1)
    let plan = plan(deleted, at: start + .seconds(5))
    #expect(plan.raisedAlert?.id == id)
    // Nobody is sent an all-clear.
    #expect(plan.deliveries.allSatisfy { $0.stage == .alertOn })
    #expect(!plan.deliveries.isEmpty)
    #expect(!plan.erasesAccount)
  }

  @Test("ALT-7: an armed alert fires at most a minute after it was armed")
  func bound() {
    let armed = ArmedAlert(id: id, armedAt: start, firesAt: start + .hours(1))
    #expect(armed.firesAt == start + .seconds(60))
  }
}
