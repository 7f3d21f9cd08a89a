import Domain
import FoundationEssentials
import Monitor
import Testing

/// ALT-6: a drill goes through all the steps of an alert and ends automatically.
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
    plan.nextPlanning = nil
    return plan
  }

  func drill(resolvedAt: Date? = nil) -> Alert {
    Alert(id: .alert, kind: .drill, raisedAt: now, resolvedAt: resolvedAt)
  }

  @Test("ALT-6: every responder is notified")
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

  @Test("ALT-6: when each message has a result it is over, and who was notified hears so")
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

  @Test("ALT-6: a responder who was removed in the meantime does not keep it on")
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

  func real(_ kind: Alert.Kind = .manual, resolvedAt: Date? = nil) -> Alert {
    Alert(
      id: .cyd, kind: kind, raisedAt: now - .minutes(1), sequence: kind == .missed ? 7 : nil,
      resolvedAt: resolvedAt)
  }

  @Test(
    "ALT-8: while an alert is on a drill has no word, and ends",
    arguments: [Alert.Kind.manual, .missed])
  func overtaken(_ kind: Alert.Kind) {
    let waiting = DeliveryRecord(20, .to(.bob, .alertOn))
    #expect(
      plan([.bob], [drill(), real(kind)], [waiting])
        == Plan(
          deliveries: [.to(.bob, kind == .missed ? .nonResponsive : .alertOn, alert: .cyd)],
          cancelled: [waiting.id], endedDrills: [.alert], settled: [.alert]))
  }

  @Test("CHK-6: who may have received a drill's call hears its end, though the call is given up")
  func givenUpUnrecorded() {
    var unrecorded = DeliveryRecord(20, .to(.bob, .alertOn))
    unrecorded.plannedAt = now - .minutes(5)
    unrecorded.leasedUntil = now - .minutes(1)
    (unrecorded.attempts, unrecorded.lastAttemptIsRecorded) = (1, false)
    let plan = plan([.bob], [drill()], [unrecorded])
    #expect(Set(plan.expired) == [unrecorded.id] && plan.cancelled == [])
    #expect(plan.endedDrills == [.alert])
    #expect(plan.deliveries.map(\.stage) == [.alertOff])
  }

  @Test("ESC-5, ALT-6: an alert that ended by a clock that was ahead ends no drill")
  func endOfFastClock() {
    let plan = plan([.bob], [drill(), real(resolvedAt: now + .hours(5))])
    #expect(plan.deliveries == [.to(.bob, .alertOn)])
    #expect(plan.endedDrills == [])
  }

  @Test("ALT-8: drill and missed deadline in one turn: only the deadline is sent")
  func oneTurn() {
    let late = start + .hours(25)
    let plan = Planner.plan(
      MonitoredAccount(
        user: .ada(email: nil, reminders: []), revision: 1, responders: [.bob],
        alerts: [drill()], deliveries: []),
      now: late, makeID: { .cyd })
    #expect(plan.missedAlert?.id == .cyd)
    #expect(plan.deliveries == [.to(.bob, .nonResponsive, alert: .cyd)])
    #expect(plan.endedDrills == [.alert])
  }

  @Test("ALT-8: nobody hears that a drill is over after an alert, though that is over too")
  func noEnd() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let alert = DeliveryRecord(21, .to(.bob, .alertOn, alert: .cyd), .sent)
    #expect(
      plan(
        [.bob], [drill(resolvedAt: now), real(resolvedAt: now + .seconds(1))], [told, alert])
        == Plan(
          deliveries: [.to(.bob, .alertOff, inReplyTo: alert.messageID, alert: .cyd)],
          settled: [.alert]))
  }

  @Test("ALT-8: what is being sent of a drill is waited for")
  func beingSent() {
    let leased = DeliveryRecord(20, .to(.bob, .alertOn), leasedUntil: now + .seconds(90))
    let told = DeliveryRecord(21, .to(.bob, .alertOn, alert: .cyd), .sent)
    #expect(
      plan([.bob], [drill(resolvedAt: now), real()], [leased, told]) == Plan(),
      "it is looked at again when the lease ends")
  }

  @Test("ALT-8: a silent alert is not there for a drill")
  func silent() {
    let silent = Alert.duress()
    let told = DeliveryRecord(21, .to(.bob, .alertOn, alert: .silent), .sent)
    #expect(
      plan([.bob], [drill(), silent], [told]) == Plan(deliveries: [.to(.bob, .alertOn)]))
  }
}
