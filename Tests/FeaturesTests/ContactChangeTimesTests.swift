import Domain
import FoundationEssentials
import Testing

@testable import Features

struct ContactChangeTimesTests {
  /// Due 22 hours from now, with 15 minutes of grace.
  private let due = Sample.linked(70, "Ida", checkedIn: 2)

  @Test("ORD-2: a dependent's status changes at the deadline and at the end of grace")
  func deadline() {
    let deadline = due.link!.dependentStatus!.deadline
    let moments = ContactChangeTimes([due, Sample.dorothy])
    #expect(moments.next(after: Sample.now) == deadline.date)
    #expect(moments.next(after: deadline.date) == deadline.graceEnd)
    #expect(moments.next(after: deadline.graceEnd) == nil)
    #expect(ContactChangeTimes([Sample.dorothy]).next(after: .distantPast) == nil)
  }

  @Test("PNG-1: an open ping changes the lists when it expires, an answered ping doesn't")
  func ping() {
    var pinged = Sample.dorothy
    pinged.link?.receivedPing = Ping(id: Sample.id(71), sentAt: Sample.now)
    #expect(ContactChangeTimes([pinged]).next(after: Sample.now) == Sample.now + Ping.lifetime)
    pinged.link?.receivedPing?.state = .answered
    #expect(ContactChangeTimes([pinged]).next(after: Sample.now) == nil)
  }

  @Test(
    "ORD-1: a change counts as passed once its time is crossed, by a clock going forward or back")
  func between() {
    let date = due.link!.dependentStatus!.deadline.date
    let moments = ContactChangeTimes([due])
    let (before, after) = (date - .seconds(1), date + .seconds(1))
    #expect(
      moments.contains(anyBetween: before, and: date)
        && moments.contains(anyBetween: after, and: before))
    #expect(moments.contains(anyBetween: date, and: before))
    #expect(
      !moments.contains(anyBetween: date, and: after)
        && !moments.contains(anyBetween: after, and: date))
    #expect(!moments.contains(anyBetween: date, and: date))
  }
}
