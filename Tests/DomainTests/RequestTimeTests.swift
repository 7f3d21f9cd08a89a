import Domain
import FoundationEssentials
import Testing

/// CHK-1: a request counts from the earliest instant at which it can have been made.
@Suite struct RequestTimeTests {
  private let now = Date(timeIntervalSince1970: 1_795_000_000)

  private func earliest(_ after: Double?, _ at: Double?, _ age: Double?) -> Double? {
    RequestTime(after: after.map { now - $0 }, at: at.map { now - $0 }, age: age)
      .earliest(now: now).map { now.timeIntervalSince($0) }
  }

  @Test(
    "CHK-1: the earlier of a request's clock time and age counts, but not before the last contact")
  func rule() {
    #expect(earliest(nil, nil, nil) == nil)
    #expect(earliest(nil, nil, 0) == 0)
    #expect(earliest(3_600, 600, 0) == 600)
    #expect(earliest(3_600, 20, 600) == 600)
    // A machine that was started again knows only its last contact.
    #expect(earliest(3_600, nil, nil) == 3_600)
    // More than since the last contact can't have passed.
    #expect(earliest(60, nil, 86_400 * 365 * 50) == 60)
  }

  @Test("CHK-1: a request's times in the future, from a clock that was set back since, are ignored")
  func future() {
    #expect(earliest(-3_600, -60, 5) == 5)
    #expect(earliest(-3_600, -60, nil) == nil)
    #expect(earliest(nil, nil, -500) == 0)
  }

  @Test("CHK-1: if the server's clock was set since, only the age of a request counts")
  func era() {
    let time = RequestTime(after: now - 60, at: now - 30, age: 5, era: 2)
    #expect(time.ofEra(2) == time)
    #expect(time.ofEra(3).earliest(now: now) == now - 5)
    #expect(RequestTime(at: now - 30).ofEra(3).earliest(now: now) == now - 30)
    #expect(RequestTime(header: time.header) == time)
  }

  @Test("A request time is read back from its header, and a malformed header is ignored")
  func header() {
    let time = RequestTime(after: now - 60, at: now - 1.5, age: 0.02)
    #expect(time.header == "after=1794999940000; at=1794999998500; age=20")
    #expect(RequestTime(header: time.header) == time)
    #expect(RequestTime(header: "") == RequestTime())
    #expect(RequestTime(header: "at=; age=x;after=12=3;at") == RequestTime())
    #expect(RequestTime(header: "age=-5; at=9223372036854775807; tomorrow=1") == RequestTime())
    let far = RequestTime(header: "age=253402300799999")
    #expect(
      far.earliest(now: now) == Date(timeIntervalSince1970: 1_795_000_000 - 253_402_300_799.999))
    #expect(RequestTime(age: .infinity).header == "age=253402300799999")
  }
}
