import Domain
import FoundationEssentials
import Monitor
import Testing

/// CHK-7: during a pause, the only message is the one that it is about to end.
@Suite struct PlannerPauseTests {
  /// A two-day pause that starts an hour after the check-in.
  static let pause = Pause(start: start + .hours(1), end: start + .hours(49))

  func user(_ pause: Pause = pause, email: String? = "ada@example.org") -> User {
    var user = User.ada(email: email)
    user.pausedAt = pause.start
    user.pausedUntil = pause.end
    return user
  }

  func plan(_ user: User, _ deliveries: [DeliveryRecord] = [], now: Date) -> Plan {
    Planner.plan(
      MonitoredAccount(
        user: user, revision: 1, responders: [.bob], alerts: [], deliveries: deliveries),
      now: now, makeID: { .alert })
  }

  @Test("CHK-7: during a pause no reminder is sent and no deadline passes")
  func calm() {
    for hours in [1, 22, 24, 25, 47] {
      #expect(
        plan(user(), now: start + .hours(hours)) == Plan(nextPlanning: Self.pause.end - .hours(1)))
    }
  }

  @Test("CHK-7: a pause cancels the pending messages of the deadline before the pause")
  func pendingReminder() {
    let old = DeliveryRecord(20, .toAda(.reminder(.minutes(30)), sequence: 6))
    #expect(plan(user(), [old], now: start + .hours(1)).cancelled == [old.id])
  }

  @Test(
    "CHK-7: the person is notified once that a pause ends, an hour before, not a second earlier")
  func reminder() {
    let time = Self.pause.end - .hours(1)
    #expect(plan(user(), now: time - .seconds(1)).deliveries == [])
    let plan = plan(user(), now: time)
    #expect(plan.deliveries == [.toAda(.pauseEnds)])
    #expect(plan.nextPlanning == Self.pause.end, "what still waits then is not told any more")
    let sent = DeliveryRecord(20, .toAda(.pauseEnds), .sent)
    #expect(self.plan(user(), [sent], now: time + .minutes(1)).deliveries == [])
  }

  @Test("CHK-7: the end of a 40-minute pause is announced when half of the pause is over")
  func shortPause() {
    let short = Pause(start: start, end: start + .minutes(40))
    #expect(plan(user(short), now: start).nextPlanning == start + .minutes(20))
    #expect(plan(user(short), now: start + .minutes(20)).deliveries == [.toAda(.pauseEnds)])
  }

  @Test("CHK-7: once a pause is over, the pending notice of its end is cancelled")
  func late() {
    let pending = DeliveryRecord(20, .toAda(.pauseEnds))
    let before = plan(user(), [pending], now: Self.pause.end - .seconds(1))
    #expect(before.cancelled == [] && before.nextPlanning == Self.pause.end)
    let plan = plan(user(), [pending], now: Self.pause.end)
    #expect(plan.cancelled == [pending.id])
    #expect(plan.deliveries == [])
  }

  @Test("CHK-7: a person who checks in within the last hour of a pause gets no notice of its end")
  func checkedInSince() {
    var user = user()
    for minutes in [60, 50] {
      user.lastCheckIn = Self.pause.end - .minutes(minutes)
      #expect(plan(user, now: Self.pause.end - .minutes(40)).deliveries == [])
    }
  }

  @Test("CHK-7: after a pause, reminders and deadline count from the pause's end")
  func afterwards() {
    let deadline = Self.pause.end + .hours(24)
    #expect(plan(user(), now: Self.pause.end) == Plan(nextPlanning: deadline - .hours(2)))
    #expect(plan(user(), now: deadline - .hours(2)).deliveries == [.toAda(.reminder(.hours(2)))])
    #expect(plan(user(), now: deadline).deliveries == [.toAda(.deadlinePassed)])
    let late = plan(user(), now: deadline + .minutes(15))
    #expect(late.missedAlert?.kind == .missed)
    #expect(late.deliveries.contains(.to(.bob, .nonResponsive)))
  }

  @Test("CHK-7: a reminder whose time lies in the pause is not sent")
  func reminderInPause() {
    var user = user()
    user.reminders = [.hours(24), .hours(30)]
    #expect(plan(user, now: Self.pause.end).nextPlanning == Self.pause.end + .hours(24))
    #expect(plan(user, now: Self.pause.end).deliveries == [])
  }

  @Test("CHK-7: a person without an e-mail address gets no notice that a pause ends")
  func withoutEmail() {
    let user = user(email: nil)
    #expect(plan(user, now: Self.pause.end - .minutes(5)).deliveries == [])
  }
}
