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

  @Test("ALT-6: a drill notifies every responder")
  func begin() {
    #expect(
      plan([.bob, .cyd], [drill()])
        == Plan(deliveries: [.to(.bob, .alertOn), .to(.cyd, .alertOn)]))
  }

  @Test("ALT-6: a drill goes on while one of its messages is pending")
  func underWay() {
    let records = [
      DeliveryRecord(20, .to(.bob, .alertOn), .sent), DeliveryRecord(21, .to(.cyd, .alertOn)),
    ]
    #expect(plan([.bob, .cyd], [drill()], records) == Plan())
  }

  @Test("ALT-6: a drill ends once each message has a result, and those notified get its end")
  func end() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let failed = DeliveryRecord(21, .to(.cyd, .alertOn), .failed, attempts: 1)
    #expect(
      plan([.bob, .cyd], [drill()], [told, failed])
        == Plan(
          deliveries: [.to(.bob, .alertOff, inReplyTo: told.messageID)], endedDrills: [.alert]))
  }

  @Test("ALT-6: a drill without responders ends at once")
  func nobody() {
    #expect(plan([], [drill()]) == Plan(endedDrills: [.alert], settled: [.alert]))
  }

  @Test("ALT-6: a responder removed during a drill doesn't keep the drill going")
  func removed() {
    let pending = DeliveryRecord(20, .to(.bob, .alertOn))
    #expect(
      plan([], [drill()], [pending])
        == Plan(cancelled: [pending.id], endedDrills: [.alert], settled: [.alert]))
  }

  @Test("ALT-6: a drill that is over sends nothing more")
  func over() {
    #expect(plan([.bob], [drill(resolvedAt: now)]) == Plan(settled: [.alert]))
  }

  func real(_ kind: Alert.Kind = .manual, resolvedAt: Date? = nil) -> Alert {
    Alert(
      id: .cyd, kind: kind, raisedAt: now - .minutes(1), sequence: kind == .missed ? 7 : nil,
      resolvedAt: resolvedAt)
  }

  @Test(
    "ALT-8: an alert ends a running drill and cancels the drill's pending messages",
    arguments: [Alert.Kind.manual, .missed])
  func overtaken(_ kind: Alert.Kind) {
    let waiting = DeliveryRecord(20, .to(.bob, .alertOn))
    #expect(
      plan([.bob], [drill(), real(kind)], [waiting])
        == Plan(
          deliveries: [.to(.bob, kind == .missed ? .nonResponsive : .alertOn, alert: .cyd)],
          cancelled: [waiting.id], endedDrills: [.alert], settled: [.alert]))
  }

  @Test("CHK-6: a responder who may have been sent a drill's message gets the drill's end")
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

  @Test("ESC-5, ALT-6: an alert that ended while the clock was ahead ends no later drill")
  func endOfFastClock() {
    let plan = plan([.bob], [drill(), real(resolvedAt: now + .hours(5))])
    #expect(plan.deliveries == [.to(.bob, .alertOn)])
    #expect(plan.endedDrills == [])
  }

  @Test("ALT-8: if a deadline passes during a drill, only the missed deadline is sent")
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

  @Test("ALT-8: after an alert nobody is sent the end of an earlier drill")
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

  @Test("ALT-8: a drill's message that is being sent when an alert begins isn't cancelled")
  func beingSent() {
    let leased = DeliveryRecord(20, .to(.bob, .alertOn), leasedUntil: now + .seconds(90))
    let told = DeliveryRecord(21, .to(.bob, .alertOn, alert: .cyd), .sent)
    #expect(
      plan([.bob], [drill(resolvedAt: now), real()], [leased, told]) == Plan(),
      "it is looked at again when the lease ends")
  }

  @Test("ALT-8: a drill goes on during a silent alert as if there were none")
  func silent() {
    let silent = Alert.duress()
    let told = DeliveryRecord(21, .to(.bob, .alertOn, alert: .silent), .sent)
    #expect(
      plan([.bob], [drill(), silent], [told]) == Plan(deliveries: [.to(.bob, .alertOn)]))
  }
}
