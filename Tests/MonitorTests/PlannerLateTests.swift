import Domain
import FoundationEssentials
import Monitor
import Testing

/// Deadlines that passed while no monitor was running (ESC-4).
@Suite struct PlannerLateTests {
  let deadline = start + .hours(24)
  var graceEnd: Date { deadline + .minutes(15) }

  func plan(
    _ alerts: [Alert] = [], shownStages: Set<Stage> = [], watchedSince: Date?,
    graceFrom: Date? = nil,
    grace: TimeSpan = .minutes(15), deliveries: [DeliveryRecord] = [], at now: Date
  ) -> Plan {
    var user = User.ada(reminders: [], grace: grace)
    user.graceFrom = graceFrom
    return Planner.plan(
      MonitoredAccount(
        user: user, revision: 1, responders: [.bob], alerts: alerts, deliveries: deliveries,
        shownStages: shownStages, watchedSince: watchedSince),
      now: now, makeID: { .alert })
  }

  @Test("ESC-4: a deadline missed unwatched notifies the person and starts the grace time again")
  func unwatched() {
    let now = deadline + .hours(5)
    #expect(
      plan(watchedSince: now, at: now)
        == Plan(
          graceFrom: now, deliveries: [.toAda(.noticedLate)], stagesToShow: [.noticedLate],
          nextPlanning: now + .minutes(15)))
  }

  @Test("ESC-4: after the second grace time the responders are notified, with how late it is")
  func thenResponders() {
    let noticed = deadline + .hours(5)
    let end = noticed + .minutes(15)
    let before = plan(
      shownStages: [.noticedLate], watchedSince: noticed, graceFrom: noticed, at: end - .seconds(1))
    #expect(before.missedAlert == nil && before.nextPlanning == end)
    let after = plan(
      shownStages: [.noticedLate], watchedSince: noticed, graceFrom: noticed, at: end)
    #expect(after.missedAlert?.noticedLateBy == .hours(5))
    #expect(after.deliveries.contains(.to(.bob, .nonResponsive)))
  }

  @Test("ESC-4: a second gap doesn't start the grace time again")
  func once() {
    let noticed = deadline + .hours(5)
    let later = noticed + .hours(2)
    let plan = plan(shownStages: [.noticedLate], watchedSince: later, graceFrom: noticed, at: later)
    #expect(plan.graceFrom == nil)
    #expect(plan.missedAlert?.noticedLateBy == .minutes(405))
  }

  @Test(
    "ESC-4: if the person was notified in time, a gap doesn't start the grace time again")
  func toldInTime() {
    let now = deadline + .hours(5)
    let plan = plan(shownStages: [.deadlinePassed], watchedSince: now, at: now)
    #expect(plan.graceFrom == nil)
    #expect(plan.missedAlert?.noticedLateBy == .minutes(285))
    #expect(plan.deliveries.contains(.to(.bob, .nonResponsive)))
  }

  @Test(
    "ESC-4: only a sent or pending deadline message keeps the grace time from starting again")
  func toldByMessage() {
    let now = deadline + .hours(5)
    func isGivenAgain(_ stage: Stage, _ state: DeliveryState) -> Bool {
      plan(watchedSince: now, deliveries: [DeliveryRecord(1, .toAda(stage), state)], at: now)
        .graceFrom != nil
    }
    #expect(!isGivenAgain(.deadlinePassed, .sent))
    #expect(!isGivenAgain(.deadlinePassed, .pending))
    #expect(isGivenAgain(.deadlinePassed, .cancelled))
    #expect(isGivenAgain(.reminder(.minutes(30)), .sent))
  }

  @Test(
    "ESC-4: a deadline noticed up to two minutes after it passed doesn't count as late",
    arguments: [0, 60, 120])
  func inTime(_ seconds: Int) {
    let now = deadline + .seconds(seconds)
    let first = plan(watchedSince: now, at: now)
    #expect(first.graceFrom == nil)
    #expect(first.deliveries == [.toAda(.deadlinePassed)])
    let end = graceEnd + .seconds(seconds)
    let second = plan(shownStages: [.deadlinePassed], watchedSince: end, at: end)
    #expect(second.missedAlert != nil && second.missedAlert?.noticedLateBy == nil)
  }

  @Test("ESC-4: responders don't see a lateness of less than three minutes")
  func barelyLate() {
    func lateness(_ seconds: Int) -> TimeSpan? {
      let now = graceEnd + .seconds(seconds)
      return plan(shownStages: [.deadlinePassed], watchedSince: now, at: now)
        .missedAlert?.noticedLateBy
    }
    #expect(lateness(179) == nil)
    #expect(lateness(180) == .minutes(3))
  }

  @Test("ESC-4: a deadline that a monitor watched is never called late, however slow the monitor")
  func watched() {
    let plan = plan(
      shownStages: [.deadlinePassed], watchedSince: start, at: graceEnd + .hours(1))
    #expect(plan.missedAlert != nil && plan.missedAlert?.noticedLateBy == nil)
  }

  @Test("ESC-4: after a gap an alert raised by hand is sent at once")
  func manual() {
    let now = start + .hours(9)
    let plan = plan([.manual()], watchedSince: now, at: now)
    #expect(plan.deliveries == [.to(.bob, .alertOn)])
  }

  @Test("ESC-4: without grace time the person and the responders are notified at once after a gap")
  func withoutGrace() {
    let now = deadline + .hours(1)
    let plan = plan(watchedSince: now, grace: .zero, at: now)
    #expect(Set(plan.deliveries.map(\.stage)) == [.noticedLate, .nonResponsive])
    #expect(plan.missedAlert?.noticedLateBy == .hours(1))
  }

  @Test(
    "ESC-5: a clock set back to before the deadline cancels the pending deadline message",
    arguments: [Stage.deadlinePassed, .noticedLate])
  func deadlineAhead(_ stage: Stage) {
    let pending = DeliveryRecord(20, .toAda(stage))
    let plan = Planner.plan(
      MonitoredAccount(
        user: .ada(reminders: []), revision: 1, responders: [.bob], alerts: [],
        deliveries: [pending]),
      now: deadline - .seconds(1), makeID: { .alert })
    #expect(plan == Plan(cancelled: [pending.id], nextPlanning: deadline))
  }

  @Test(
    "ESC-4: a grace time that another monitor starts up to two minutes ahead counts",
    arguments: [1, 120])
  func beginningAhead(_ seconds: Int) {
    let now = deadline + .hours(1)
    let begun = now + .seconds(seconds)
    let plan = plan(shownStages: [.noticedLate], watchedSince: now, graceFrom: begun, at: now)
    #expect(plan.graceFrom == nil)
    #expect(plan.nextPlanning == begun + .minutes(15))
  }

  @Test("ESC-5: a grace time whose start a wrong clock set two days ahead starts now instead")
  func wrongBeginning() {
    let now = deadline + .hours(1)
    let plan = plan(
      shownStages: [.noticedLate], watchedSince: now, graceFrom: now + .days(2), at: now)
    #expect(plan.graceFrom == now)
    #expect(plan.nextPlanning == now + .minutes(15))
  }
}
