import FoundationEssentials
import Testing

@testable import Domain

@Suite("WCH-2: what waits at an ntfy server")
struct StandbyTests {
  static let start = Date(timeIntervalSince1970: 1_795_000_000)
  static let topic = "https://ntfy.sh/ada"

  private func duty(
    interval: TimeSpan = .hours(24), topic: String? = Self.topic, waiting: WaitingMessage? = nil,
    pausedUntil: Date? = nil
  ) throws -> StandbyDuty {
    StandbyDuty(
      account: UUID(), name: "Ada",
      deadline: Deadline(
        lastCheckIn: Self.start, interval: try CheckInInterval(interval), grace: .minutes(15),
        pausedUntil: pausedUntil),
      standby: Standby(topic: topic), waiting: waiting)
  }

  private func message(_ span: TimeSpan) -> WaitingMessage {
    WaitingMessage(topic: Self.topic, date: Self.start + span)
  }

  @Test("It waits until shortly after the grace time, and a check-in moves it")
  func waits() throws {
    let end = TimeSpan.minutes(24 * 60 + 25)
    #expect(try duty().step(at: Self.start) == .schedule(message(end)))
    #expect(try duty(waiting: message(end)).step(at: Self.start + .hours(5)) == nil)
    #expect(
      try duty(waiting: message(.minutes(21 * 60 + 25))).step(at: Self.start)
        == .schedule(message(end)))
  }

  @Test("A deadline beyond the horizon is followed by steps")
  func beyond() throws {
    let far = TimeSpan.days(10)
    #expect(try duty(interval: far).step(at: Self.start) == .schedule(message(.hours(71))))
    let waiting = message(.hours(71))
    #expect(try duty(interval: far, waiting: waiting).step(at: Self.start + .hours(47)) == nil)
    #expect(
      try duty(interval: far, waiting: waiting).step(at: Self.start + .hours(48))
        == .schedule(message(.hours(48 + 71))))
    let paused = try duty(pausedUntil: Self.start + .days(9))
    #expect(paused.step(at: Self.start) == .schedule(message(.hours(71))))
  }

  @Test("While somebody is overdue a monitor that is there keeps it an hour ahead")
  func overdue() throws {
    let late = Self.start + .hours(26)
    #expect(try duty().step(at: late) == .schedule(message(.hours(27))))
    #expect(try duty(waiting: message(.hours(27))).step(at: late + .minutes(30)) == nil)
    #expect(
      try duty(waiting: message(.hours(27))).step(at: late + .minutes(31))
        == .schedule(message(.minutes(27 * 60 + 31))))
  }

  @Test("Without the topic, or with another, it is cancelled first")
  func cancelled() throws {
    let waiting = message(.hours(25))
    #expect(try duty(topic: nil, waiting: waiting).step(at: Self.start) == .cancel(waiting))
    #expect(
      try duty(topic: "https://ntfy.sh/other", waiting: waiting).step(at: Self.start)
        == .cancel(waiting))
    #expect(try duty(topic: nil).step(at: Self.start) == nil)
  }

  @Test("What was typed is checked; nothing is none")
  func validation() throws {
    #expect(try Standby(validating: " ", topic: "") == Standby())
    #expect(
      try Standby(validating: "https://hc-ping.com/x", topic: "ada")
        == Standby(heartbeat: "https://hc-ping.com/x", topic: Self.topic))
    #expect(throws: ValidationError.webAddress) { try Standby(validating: "hc", topic: "") }
    #expect(throws: ValidationError.topic) { try Standby(validating: "", topic: "a b") }
  }
}
