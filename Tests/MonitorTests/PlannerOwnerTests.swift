import Domain
import FoundationEssentials
import Monitor
import Testing

/// Messages to the person themselves.
@Suite struct PlannerOwnerTests {
  let deadline = start + .hours(24)

  func plan(_ user: User, _ deliveries: [DeliveryRecord] = [], now: Date) -> Plan {
    var plan = Planner.plan(
      MonitoredAccount(user: user, revision: 1, responders: [], alerts: [], deliveries: deliveries),
      now: now, makeID: { .alert })
    plan.stagesToShow = []
    return plan
  }

  @Test("After a check-in nothing is sent, and the next planning is at the first reminder")
  func calm() {
    #expect(plan(.ada(), now: start) == Plan(nextPlanning: start + .hours(22)))
  }

  @Test("REM-1: a reminder is planned when its time comes, not a second before")
  func reminderTime() {
    let time = deadline - .hours(2)
    #expect(plan(.ada(), now: time - .seconds(1)) == Plan(nextPlanning: time))
    #expect(
      plan(.ada(), now: time)
        == Plan(
          deliveries: [.toAda(.reminder(.hours(2)))], nextPlanning: deadline - .minutes(30)))
  }

  @Test("REM-1: of several reminders that are due at once only the latest is sent")
  func latestReminder() {
    let plan = plan(.ada(), now: deadline - .minutes(10))
    #expect(plan.deliveries == [.toAda(.reminder(.minutes(30)))])
    #expect(plan.nextPlanning == deadline)
  }

  @Test("REM-1: a reminder that is still pending is replaced by the next reminder")
  func supersededReminder() {
    let old = DeliveryRecord(20, .toAda(.reminder(.hours(2))))
    let plan = plan(.ada(), [old], now: deadline - .minutes(30))
    #expect(plan.deliveries == [.toAda(.reminder(.minutes(30)))])
    #expect(plan.cancelled == [old.id])
  }

  @Test(
    "REM-1: a reminder that exists is not planned again",
    arguments: [DeliveryState.pending, .sent, .failed])
  func reminderOnce(state: DeliveryState) {
    let record = DeliveryRecord(20, .toAda(.reminder(.hours(2))), state)
    #expect(
      plan(.ada(), [record], now: deadline - .hours(1))
        == Plan(nextPlanning: deadline - .minutes(30)))
  }

  @Test("REM-1: once the deadline has passed, a pending reminder is cancelled")
  func lateReminder() {
    let pending = DeliveryRecord(20, .toAda(.reminder(.minutes(30))))
    let plan = plan(.ada(), [pending], now: deadline)
    #expect(plan.deliveries == [.toAda(.deadlinePassed)])
    #expect(plan.cancelled == [pending.id])
  }

  @Test("REM-1: a reminder whose time passed before the deadline began to run is not sent")
  func reminderBeforeStart() {
    let user = User.ada(reminders: [.hours(24), .hours(30)])
    #expect(plan(user, now: start + .seconds(1)) == Plan(nextPlanning: deadline))
  }

  @Test("REM-1: a person without an e-mail address is sent nothing")
  func withoutEmail() {
    let user = User.ada(email: nil)
    #expect(plan(user, now: start).deliveries.isEmpty)
    #expect(plan(user, now: deadline) == Plan(nextPlanning: deadline + .minutes(15)))
  }

  @Test("REM-1: without reminders the next planning is at the deadline")
  func withoutReminders() {
    #expect(plan(.ada(reminders: []), now: start) == Plan(nextPlanning: deadline))
  }

  @Test("ESC-1: at the deadline the person is notified, not a second before")
  func deadlinePassed() {
    let user = User.ada(reminders: [])
    #expect(plan(user, now: deadline - .seconds(1)) == Plan(nextPlanning: deadline))
    #expect(
      plan(user, now: deadline)
        == Plan(deliveries: [.toAda(.deadlinePassed)], nextPlanning: deadline + .minutes(15)))
  }

  @Test("ESC-1: the person is notified only once that the deadline passed")
  func deadlinePassedOnce() {
    let sent = DeliveryRecord(20, .toAda(.deadlinePassed), .sent)
    #expect(
      plan(.ada(), [sent], now: deadline + .minutes(5))
        == Plan(nextPlanning: deadline + .minutes(15)))
  }

  @Test("ESC-1: a lengthened interval cancels the pending message and sends it at the new deadline")
  func lengthenedInterval() throws {
    let pending = DeliveryRecord(20, .toAda(.deadlinePassed))
    var user = User.ada(reminders: [])
    user.interval = try CheckInInterval(.hours(48))
    let after = plan(user, [pending], now: deadline)
    #expect(after == Plan(cancelled: [pending.id], nextPlanning: start + .hours(48)))
    let cancelled = DeliveryRecord(20, .toAda(.deadlinePassed), .cancelled)
    let then = plan(user, [cancelled], now: start + .hours(48))
    #expect(then.deliveries == [.toAda(.deadlinePassed)])
  }

  @Test("CHK-1: a check-in cancels the pending messages of the earlier deadline")
  func staleSequence() {
    let reminder = DeliveryRecord(20, .toAda(.reminder(.minutes(30)), sequence: 6))
    let passed = DeliveryRecord(21, .toAda(.deadlinePassed, sequence: 6))
    let plan = plan(.ada(), [reminder, passed], now: start)
    #expect(plan.cancelled == [reminder.id, passed.id])
    #expect(plan.deliveries.isEmpty)
  }

  @Test("A message that is being sent isn't cancelled before its claim ends")
  func leased() {
    let end = start + .seconds(60)
    let record = DeliveryRecord(
      20, .toAda(.reminder(.minutes(30)), sequence: 6), attempts: 1, isRecorded: false,
      leasedUntil: end)
    #expect(plan(.ada(), [record], now: start) == Plan(nextPlanning: end))
    #expect(plan(.ada(), [record], now: end).cancelled == [record.id])
  }

  @Test("A message to a replaced address is cancelled and planned for the new address")
  func changedAddress() {
    let old = DeliveryRecord(20, .toAda(.deadlinePassed))
    let plan = plan(.ada(email: "new@example.org"), [old], now: deadline)
    #expect(plan.cancelled == [old.id])
    #expect(plan.deliveries.map(\.address) == ["new@example.org"])
  }
}
