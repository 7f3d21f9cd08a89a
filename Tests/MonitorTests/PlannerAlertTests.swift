import Domain
import FoundationEssentials
import Monitor
import Testing

/// Messages to the responders.
@Suite struct PlannerAlertTests {
  let graceEnd = start + .hours(24) + .minutes(15)

  /// The plan for an Ada without an e-mail address.
  func plan(
    sequence: Int = 7, lastCheckIn: Date = start, grace: TimeSpan = .minutes(15),
    _ responders: [Contact] = [.bob, .cyd], _ alerts: [Alert] = [],
    _ deliveries: [DeliveryRecord] = [], now: Date
  ) -> Plan {
    let user = User.ada(
      email: nil, reminders: [], grace: grace, sequence: sequence, lastCheckIn: lastCheckIn)
    return Planner.plan(
      MonitoredAccount(
        user: user, revision: 1, responders: responders, alerts: alerts, deliveries: deliveries,
        shownStages: [.deadlinePassed]),
      now: now, makeID: { .alert })
  }

  @Test("ESC-1: when the grace time is over every responder is notified, not a second before")
  func nonResponsive() {
    #expect(plan(now: graceEnd - .seconds(1)) == Plan(nextPlanning: graceEnd))
    #expect(
      plan(now: graceEnd)
        == Plan(
          missedAlert: Alert(id: .alert, kind: .missed, raisedAt: graceEnd, sequence: 7),
          deliveries: [.to(.bob, .nonResponsive), .to(.cyd, .nonResponsive)],
          nextPlanning: graceEnd + .hours(1)))
  }

  @Test("ESC-1: without grace the responders are notified at the deadline")
  func withoutGrace() {
    #expect(plan(grace: .zero, now: start + .hours(24)).deliveries.count == 2)
  }

  @Test("ESC-1: every channel of a responder is used")
  func everyChannel() {
    let plan = plan([.responder(.bob, "Bob", "bob@example.org", "b@example.com")], now: graceEnd)
    #expect(plan.deliveries.map(\.address) == ["bob@example.org", "b@example.com"])
  }

  @Test("ESC-1: a missed deadline is an alert even when nobody can be notified")
  func withoutResponders() {
    let plan = plan([], now: graceEnd)
    #expect(plan.missedAlert?.sequence == 7)
    #expect(plan.deliveries.isEmpty)
  }

  @Test(
    "ESC-3: a message that is pending, sent or failed isn't planned again",
    arguments: [DeliveryState.pending, .sent, .failed])
  func nonResponsiveOnce(state: DeliveryState) {
    let records = [
      DeliveryRecord(20, .to(.bob, .nonResponsive), state),
      DeliveryRecord(21, .to(.cyd, .nonResponsive), state),
    ]
    #expect(
      plan([.bob, .cyd], [.missed()], records, now: graceEnd + .hours(1))
        == Plan(nextPlanning: start + .hours(26)))
  }

  @Test("ESC-1: a missed alert of an earlier deadline doesn't prevent a new alert")
  func anotherSequence() {
    let plan = plan([], [.missed(sequence: 6, resolvedAt: start)], now: graceEnd)
    #expect(plan.missedAlert?.sequence == 7)
    #expect(plan.settled == [.alert])
  }

  @Test("INT-1: a new interval during a missed alert sends nothing and raises no second alert")
  func newIntervalWhileMissed() {
    let told = DeliveryRecord(20, .to(.bob, .nonResponsive), .sent)
    let plan = plan(sequence: 8, [.bob], [.missed(sequence: 7)], [told], now: graceEnd + .hours(9))
    #expect(plan == Plan(nextPlanning: start + .hours(34)))
  }

  @Test("CHK-6: a late check-in sends everyone who was notified the all-clear, as a reply")
  func allClear() {
    let told = DeliveryRecord(20, .to(.bob, .nonResponsive), .sent)
    let failed = DeliveryRecord(21, .to(.cyd, .nonResponsive), .failed, attempts: 3)
    let plan = plan(
      sequence: 8, lastCheckIn: graceEnd + .hours(1), [.bob, .cyd],
      [.missed(resolvedAt: graceEnd + .hours(1))], [told, failed], now: graceEnd + .hours(1))
    #expect(plan.deliveries == [.to(.bob, .allClear, inReplyTo: told.messageID)])
    #expect(plan.cancelled.isEmpty)
    #expect(plan.settled.isEmpty)
  }

  @Test(
    "CHK-6: a late check-in cancels messages that weren't sent, and sends no all-clear for them")
  func notToldYet() {
    let pending = DeliveryRecord(20, .to(.bob, .nonResponsive))
    let failing = DeliveryRecord(21, .to(.cyd, .nonResponsive), attempts: 4)
    let plan = plan(
      sequence: 8, lastCheckIn: graceEnd, [.bob, .cyd], [.missed(resolvedAt: graceEnd)],
      [pending, failing], now: graceEnd)
    #expect(plan.cancelled == [pending.id, failing.id])
    #expect(plan.deliveries.isEmpty)
    #expect(plan.settled == [.alert])
  }

  @Test("CHK-6: while an alert's message is being sent, the all-clear waits for the claim to end")
  func leased() {
    let lease = graceEnd + .seconds(60)
    let record = DeliveryRecord(
      20, .to(.bob, .nonResponsive), attempts: 1, isRecorded: false, leasedUntil: lease)
    let resolved = Alert.missed(resolvedAt: graceEnd)
    func plan(_ record: DeliveryRecord, _ now: Date) -> Plan {
      self.plan(sequence: 8, lastCheckIn: graceEnd, [.bob], [resolved], [record], now: now)
    }
    #expect(plan(record, graceEnd) == Plan(nextPlanning: lease))
    // The claim ended without a record. The message may have arrived, so it counts as sent.
    let after = plan(record, lease)
    #expect(after.cancelled == [record.id])
    #expect(after.deliveries == [.to(.bob, .allClear, inReplyTo: record.messageID)])
  }

  @Test("CHK-6: a responder whose cancelled message may have been sent gets one all-clear")
  func cancelledButTold() {
    let record = DeliveryRecord(
      20, .to(.bob, .nonResponsive), .cancelled, attempts: 1, isRecorded: false)
    let allClear = DeliveryRecord(21, .to(.bob, .allClear, inReplyTo: record.messageID))
    let resolved = Alert.missed(resolvedAt: graceEnd)
    func plan(_ deliveries: [DeliveryRecord]) -> Plan {
      self.plan(sequence: 8, lastCheckIn: graceEnd, [.bob], [resolved], deliveries, now: graceEnd)
    }
    #expect(plan([record]).deliveries == [.to(.bob, .allClear, inReplyTo: record.messageID)])
    #expect(plan([record, allClear]).deliveries.isEmpty)
    #expect(plan([record, allClear]).settled.isEmpty)
  }

  @Test(
    "A resolved alert is settled once its all-clear is sent or has failed",
    arguments: [DeliveryState.sent, .failed])
  func settled(state: DeliveryState) {
    let told = DeliveryRecord(20, .to(.bob, .nonResponsive), .sent)
    let allClear = DeliveryRecord(21, .to(.bob, .allClear), state)
    let plan = plan(
      sequence: 8, lastCheckIn: graceEnd, [.bob], [.missed(resolvedAt: graceEnd)],
      [told, allClear], now: graceEnd)
    #expect(plan.settled == [.alert])
    #expect(plan.deliveries.isEmpty)
  }

  @Test("ALT-2: raising notifies every responder; cancelling notifies those who were notified")
  func manual() {
    #expect(
      plan([.bob, .cyd], [.manual()], now: start + .hours(1)).deliveries
        == [.to(.bob, .alertOn), .to(.cyd, .alertOn)])
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let pending = DeliveryRecord(21, .to(.cyd, .alertOn))
    let after = plan(
      [.bob, .cyd], [.manual(resolvedAt: start + .hours(2))], [told, pending],
      now: start + .hours(2))
    #expect(after.deliveries == [.to(.bob, .alertOff, inReplyTo: told.messageID)])
    #expect(after.cancelled == [pending.id])
  }

  @Test("CHK-6: a missed deadline during a manual alert notifies the responders as well")
  func manualAndMissed() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    #expect(
      plan([.bob], [.manual()], [told], now: start + .hours(2))
        == Plan(nextPlanning: start + .hours(3)))
    let later = Planner.plan(
      MonitoredAccount(
        user: .ada(email: nil), revision: 1, responders: [.bob], alerts: [.manual()],
        deliveries: [told]),
      now: graceEnd, makeID: { .cyd })
    #expect(later.deliveries == [.to(.bob, .nonResponsive, alert: .cyd)])
  }

  @Test("ALT-2: a responder who is added while an alert is on is notified too")
  func addedResponder() {
    let told = DeliveryRecord(20, .to(.bob, .alertOn), .sent)
    let plan = plan([.bob, .cyd], [.manual()], [told], now: start + .hours(2))
    #expect(plan.deliveries == [.to(.cyd, .alertOn)])
  }

  @Test("A removed responder isn't notified, except of the end of an alert they were sent")
  func removedResponder() {
    let pending = DeliveryRecord(20, .to(.cyd, .alertOn))
    #expect(
      plan([], [.manual()], [pending], now: start + .hours(2))
        == Plan(cancelled: [pending.id], nextPlanning: graceEnd))
    let told = DeliveryRecord(20, .to(.cyd, .alertOn), .sent)
    let after = plan(
      [], [.manual(resolvedAt: start + .hours(2))], [told], now: start + .hours(2))
    var expected = PlannedDelivery.to(.cyd, .alertOff, inReplyTo: told.messageID)
    expected.recipientName = ""
    #expect(after.deliveries == [expected])
  }

  @Test("A responder who lost the role and gets it back during an alert is notified")
  func roleBack() {
    let cancelled = DeliveryRecord(20, .to(.bob, .alertOn), .cancelled)
    let plan = plan([.bob], [.manual()], [cancelled], now: start + .hours(2))
    #expect(plan.deliveries == [.to(.bob, .alertOn)])
  }

  @Test("A responder's corrected address is notified in place of the wrong one")
  func correctedAddress() {
    let wrong = DeliveryRecord(
      20, .to(.responder(.bob, "Bob", "bbo@example.org"), .alertOn), attempts: 2)
    let plan = plan([.bob], [.manual()], [wrong], now: start + .hours(2))
    #expect(plan.cancelled == [wrong.id])
    #expect(plan.deliveries == [.to(.bob, .alertOn)])
  }

  @Test("An alert that ended before anybody was notified is settled at once")
  func endedUntold() {
    let plan = plan([.bob], [.manual(resolvedAt: start)], now: start + .hours(1))
    #expect(plan == Plan(settled: [.alert], nextPlanning: graceEnd))
  }
}
