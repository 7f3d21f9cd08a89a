import FoundationEssentials
import Testing

@testable import Domain

@Suite("WCH-2: the standby message at an ntfy server")
struct StandbyTests {
  static let start = Date(timeIntervalSince1970: 1_795_000_000)
  static let topic = "https://ntfy.sh/ada"

  private func duty(
    interval: TimeSpan = .hours(24), topic: String? = Self.topic,
    kinds: Set<Channel.Kind> = [.email], waiting: WaitingMessage? = nil, pausedUntil: Date? = nil
  ) throws -> StandbyDuty {
    StandbyDuty(
      account: UUID(), name: "Ada",
      deadline: Deadline(
        lastCheckIn: Self.start, interval: try CheckInInterval(interval), grace: .minutes(15),
        pausedUntil: pausedUntil),
      standby: Standby(topic: topic), kinds: kinds, waiting: waiting)
  }

  private func message(_ span: TimeSpan) -> WaitingMessage {
    WaitingMessage(topic: Self.topic, date: Self.start + span)
  }

  @Test("The standby message is set 10 minutes after the grace time, and a check-in moves it")
  func waits() throws {
    let end = TimeSpan.minutes(24 * 60 + 25)
    #expect(try duty().steps(at: Self.start) == [.schedule(message(end))])
    #expect(try duty(waiting: message(end)).steps(at: Self.start + .hours(5)) == [])
    #expect(
      try duty(waiting: message(.minutes(21 * 60 + 25))).steps(at: Self.start)
        == [.schedule(message(end))])
  }

  @Test("For a deadline or pause days away, the standby message is 71 h ahead and moved after 48 h")
  func beyond() throws {
    let far = TimeSpan.days(10)
    #expect(try duty(interval: far).steps(at: Self.start) == [.schedule(message(.hours(71)))])
    let waiting = message(.hours(71))
    #expect(try duty(interval: far, waiting: waiting).steps(at: Self.start + .hours(47)) == [])
    #expect(
      try duty(interval: far, waiting: waiting).steps(at: Self.start + .hours(48))
        == [.schedule(message(.hours(48 + 71)))])
    let paused = try duty(pausedUntil: Self.start + .days(9))
    #expect(paused.steps(at: Self.start) == [.schedule(message(.hours(71)))])
  }

  @Test("After the grace time, a running monitor keeps the standby message an hour ahead")
  func overdue() throws {
    let graceEnd = Self.start + .minutes(24 * 60 + 15)
    let end = message(.minutes(24 * 60 + 25))
    #expect(try duty(waiting: end).steps(at: graceEnd - .seconds(1)) == [])
    #expect(
      try duty(waiting: end).steps(at: graceEnd) == [.schedule(message(.minutes(25 * 60 + 15)))])
    let late = Self.start + .hours(26)
    #expect(try duty().steps(at: late) == [.schedule(message(.hours(27)))])
    #expect(try duty(waiting: message(.hours(27))).steps(at: late + .minutes(30)) == [])
    #expect(
      try duty(waiting: message(.hours(27))).steps(at: late + .minutes(31))
        == [.schedule(message(.minutes(27 * 60 + 31)))])
  }

  @Test("A monitor that can't notify anyone lets the standby message go out, within 10 minutes")
  func mute() throws {
    let graceEnd = Self.start + .minutes(24 * 60 + 15)
    let end = message(.minutes(24 * 60 + 25))
    for minutes in [0, 5, 10, 11, 600] {
      #expect(
        try duty(waiting: end).steps(at: graceEnd + .minutes(minutes), failing: [.email]) == [])
    }
    #expect(
      try duty(waiting: message(.hours(27))).steps(at: Self.start + .hours(26), failing: [.email])
        == [.schedule(message(.minutes(26 * 60 + 10)))])
    // A message for the previous deadline doesn't count for this one.
    #expect(
      try duty(waiting: message(.hours(1))).steps(at: graceEnd, failing: [.email])
        == [.schedule(end)])
    // A responder can still be notified by webhook.
    #expect(
      try duty(kinds: [.email, .webhook], waiting: end).steps(at: graceEnd, failing: [.email])
        == [.schedule(message(.minutes(25 * 60 + 15)))])
    #expect(try duty(kinds: []).canNotifyNobody([.email]) == false)
  }

  @Test("Removing the topic cancels the standby message, and another topic gets a new one")
  func cancelled() throws {
    let waiting = message(.hours(25))
    let end = Self.start + .minutes(24 * 60 + 25)
    #expect(try duty(topic: nil, waiting: waiting).steps(at: Self.start) == [.cancel(waiting)])
    let other = "https://ntfy.sh/other"
    #expect(
      try duty(topic: other, waiting: waiting).steps(at: Self.start)
        == [.cancel(waiting), .schedule(WaitingMessage(topic: other, date: end))])
    // A message that was sent can't be cancelled.
    #expect(
      try duty(topic: other, waiting: message(.hours(-1))).steps(at: Self.start)
        == [.schedule(WaitingMessage(topic: other, date: end))])
    #expect(try duty(topic: nil, waiting: message(.zero)).steps(at: Self.start) == [])
    #expect(try duty(topic: nil).steps(at: Self.start) == [])
  }

  @Test("A standby's heartbeat and topic are validated, and an empty text means none")
  func validation() throws {
    #expect(try Standby(validating: " ", topic: "") == Standby())
    #expect(
      try Standby(validating: "https://hc-ping.com/x", topic: "ada")
        == Standby(heartbeat: "https://hc-ping.com/x", topic: Self.topic))
    #expect(throws: ValidationError.webAddress) { try Standby(validating: "hc", topic: "") }
    #expect(throws: ValidationError.topic) { try Standby(validating: "", topic: "a b") }
  }
}
