import Domain
import FoundationEssentials
import Monitor
import Testing

/// ALT-6: a drill goes the whole path and ends by itself.
@Suite struct PlannerDrillTests {
  let now = start + .hours(1)

  func plan(
    _ responders: [Contact], _ alerts: [Alert], _ deliveries: [DeliveryRecord] = []
  ) -> Plan {
    var plan = Planner.plan(
      MonitoredAccount(
        user: .ada(email: nil, reminders: []), revision: 1, responders: responders,
        alerts: alerts, deliveries: deliveries),
      now: now, makeID: { .cyd })
    plan.nextLook = nil
    return plan
  }

  func drill(resolvedAt: Date? = nil) -> Alert {
    Alert(id: .alert, kind: .drill, raisedAt: now, resolvedAt: resolvedAt)
  }

  @Test("ALT-6: every responder is told")
  func begin() {
    #expect(
      plan([.bob, .cyd], [drill()])
        == Plan(deliveries: [.to(.bob, .alertOn), .to(.cyd, .alertOn)]))
  }

  @Test("ALT-6: it goes on while a message is on its way")
  func underWay() {
    let records = [
      DeliveryRecord(20, .to(.bob, .alertOn), .sent), DeliveryRecord(21, .to(.cyd, .alertOn)),
    ]
    #expect(plan([.bob, .cyd], [drill()], records) == Plan())
  }

  @Test("ALT-6: when each message has met its fate it is over, and who was told hears so")
  func end() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let failed = DeliveryRecord(21, .to(.cyd, .alertOn), .failed, attempts: 1)
    #expect(
      plan([.bob, .cyd], [drill()], [told, failed])
        == Plan(
          deliveries: [.to(.bob, .alertOff, inReplyTo: told.messageID)], endedDrills: [.alert]))
  }

  @Test("ALT-6: with nobody to tell it is over at once")
  func nobody() {
    #expect(plan([], [drill()]) == Plan(endedDrills: [.alert], settled: [.alert]))
  }

  @Test("ALT-6: a responder who was removed meanwhile does not keep it on")
  func removed() {
    let pending = DeliveryRecord(20, .to(.bob, .alertOn))
    #expect(
      plan([], [drill()], [pending])
        == Plan(cancelled: [pending.id], endedDrills: [.alert], settled: [.alert]))
  }

  @Test("ALT-6: a drill that is over is over")
  func over() {
    #expect(plan([.bob], [drill(resolvedAt: now)]) == Plan(settled: [.alert]))
  }

  @Test("ALT-6: a real alert goes out while a drill is on")
  func realAlert() {
    var real = Alert.manual()
    real = Alert(id: .cyd, kind: .manual, raisedAt: real.raisedAt)
    let records = [DeliveryRecord(20, .to(.bob, .alertOn))]
    #expect(
      plan([.bob], [drill(), real], records)
        == Plan(deliveries: [.to(.bob, .alertOn, alert: .cyd)]))
  }
}
