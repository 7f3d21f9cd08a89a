import Domain
import FoundationEssentials
import Testing

@testable import Features

struct ContactMomentsTests {
  /// Due 22 hours from now, with 15 minutes of grace.
  private let due = Sample.linked(70, "Ida", checkedIn: 2)

  @Test("ORD-2: a deadline and the end of its grace change how a dependent stands")
  func deadline() {
    let deadline = due.link!.dependentStatus!.deadline
    let moments = ContactMoments([due, Sample.dorothy])
    #expect(moments.next(after: Sample.now) == deadline.date)
    #expect(moments.next(after: deadline.date) == deadline.graceEnd)
    #expect(moments.next(after: deadline.graceEnd) == nil)
    #expect(ContactMoments([Sample.dorothy]).next(after: .distantPast) == nil)
  }

  @Test("PNG-1: an open ping ends after its time, and one that was answered does not")
  func ping() {
    var pinged = Sample.dorothy
    pinged.link?.receivedPing = Ping(id: Sample.id(71), sentAt: Sample.now)
    #expect(ContactMoments([pinged]).next(after: Sample.now) == Sample.now + Ping.lifetime)
    pinged.link?.receivedPing?.state = .answered
    #expect(ContactMoments([pinged]).next(after: Sample.now) == nil)
  }

  @Test("ORD-1: a moment counts when it comes, whichever way the clock goes over it")
  func between() {
    let date = due.link!.dependentStatus!.deadline.date
    let moments = ContactMoments([due])
    let (before, after) = (date - .seconds(1), date + .seconds(1))
    #expect(moments.areAny(from: before, to: date) && moments.areAny(from: after, to: before))
    #expect(moments.areAny(from: date, to: before))
    #expect(!moments.areAny(from: date, to: after) && !moments.areAny(from: after, to: date))
    #expect(!moments.areAny(from: date, to: date))
  }
}
