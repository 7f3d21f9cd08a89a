import Domain
import FoundationEssentials
import Monitor
import Testing

/// Messages to the person on their own screen.
@Suite struct PlannerScreenTests {
  let deadline = start + .hours(24)

  func plan(_ user: User = .ada(email: nil), _ shownStages: Set<Stage> = [], now: Date) -> Plan {
    Planner.plan(
      MonitoredAccount(
        user: user, revision: 1, responders: [], alerts: [], deliveries: [],
        shownStages: shownStages),
      now: now, makeID: { .alert })
  }

  @Test("REM-1: a reminder is shown on screen when its time comes, also without an e-mail address")
  func reminder() {
    let time = deadline - .hours(2)
    #expect(plan(now: start) == Plan(nextPlanning: time))
    #expect(plan(now: time - .seconds(1)) == Plan(nextPlanning: time))
    #expect(
      plan(now: time)
        == Plan(stagesToShow: [.reminder(.hours(2))], nextPlanning: deadline - .minutes(30)))
    #expect(plan(.ada(), now: time).stagesToShow == [.reminder(.hours(2))])
  }

  @Test("REM-1: of several reminders that are due the screen shows only the latest, once")
  func latest() {
    let now = deadline - .minutes(10)
    #expect(plan(now: now).stagesToShow == [.reminder(.minutes(30))])
    #expect(
      plan(.ada(email: nil), [.reminder(.minutes(30))], now: now) == Plan(nextPlanning: deadline))
  }

  @Test("ESC-1: at the deadline the screen shows once that the deadline passed, and no reminder")
  func deadlinePassed() {
    #expect(plan(now: deadline).stagesToShow == [.deadlinePassed])
    #expect(
      plan(.ada(email: nil), [.deadlinePassed], now: deadline)
        == Plan(nextPlanning: deadline + .minutes(15)))
  }

  @Test("CHK-7: the screen shows no reminder whose time lies before the end of a pause")
  func pause() throws {
    var user = User.ada(email: nil, reminders: [.hours(24)])
    user.pausedUntil = start + .hours(5)
    #expect(plan(user, now: start + .hours(6)).stagesToShow == [])
    #expect(plan(user, now: start + .hours(29)).stagesToShow == [.deadlinePassed])
  }
}
