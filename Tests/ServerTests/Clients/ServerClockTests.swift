import Domain
import FoundationEssentials
import ServerProtocol
import Synchronization
import TestSupport
import Testing

@testable import SharedPlatform

/// The server's time as a device counts it.
@Suite struct ServerClockTests {
  private static let server = Date(timeIntervalSince1970: 1_795_000_000)
  private let machine = JumpingClock(Date(timeIntervalSince1970: 1_000))
  private let file = Kept()

  private final class Kept: Sendable {
    let contents = Mutex<(bytes: Data?, writes: Int)>((nil, 0))
    var keeper: ServerClock.Keeper {
      .init(
        load: { self.contents.withLock { $0.bytes } },
        keep: { bytes in self.contents.withLock { $0 = (bytes, $0.writes + 1) } })
    }
  }

  private func clock(of server: String = "https://a.example") -> ServerClock {
    ServerClock(
      of: server, keeper: file.keeper, now: machine.wall,
      uptime: { [machine] in
        Uptime(boot: machine.running.boot, seconds: machine.running.seconds)
      })
  }

  private let account = UUID()

  private func note(_ clock: ServerClock, _ date: Date = server) {
    clock.note(
      ServerReference(time: date, account: account, hasGate: false, era: 3).text,
      session: "digest", since: clock.machine)
  }

  @Test(
    "After an answer, the machine's uptime continues the server's time, also in another program")
  func goesOn() {
    let one = clock()
    #expect(one.isUnknown && one.begin().at == nil)
    note(one)
    machine.advance(10)
    #expect(one.time == Self.server + .seconds(10))
    let two = clock()
    #expect(two.time == Self.server + .seconds(10))
    let start = two.begin()
    machine.advance(5)
    let header = two.madeHeader(start)
    #expect(header.name == "LifeSignal-Made")
    #expect(header.value == "after=1795000000000; at=1795000010000; age=5000; era=3")
    #expect(clock(of: "https://b.example").isUnknown)
  }

  @Test("ESC-5: times on screen follow the server's clock, also after this machine's clock is set")
  func nowOnServer() {
    let one = clock()
    #expect(one.nowOnServer == machine.wall() && !one.isInDoubt)
    note(one)
    machine.advance(10)
    #expect(one.nowOnServer == Self.server + .seconds(10))
    machine.jump(3 * 86_400)
    #expect(one.isInDoubt)
    note(one, Self.server + .seconds(10))
    #expect(!one.isInDoubt && one.nowOnServer == Self.server + .seconds(10))
  }

  @Test(
    "ESC-5: offline, setting the clock back never shows a time before the server's last answer",
    arguments: [(-10.0, false), (10, false), (-10, true), (10, true)])
  func offline(days: Double, restarts: Bool) {
    note(clock())
    machine.advance(3_600)
    if restarts { machine.restart(after: 0) }
    machine.jump(days * 86_400)
    let passed = days > 0 ? 3_600 + days * 86_400 : restarts ? 0 : 3_600
    #expect(clock().nowOnServer == Self.server + passed)
  }

  @Test(
    "The shown time ignores differences of up to 5 seconds between answers, but not larger ones")
  func steady() {
    let one = clock()
    note(one)
    #expect(one.nowOnServer == Self.server)
    for seconds in [-5, 5] {
      note(one, Self.server + .seconds(seconds))
      #expect(one.nowOnServer == Self.server)
    }
    note(one, Self.server + .seconds(6))
    #expect(one.nowOnServer == Self.server + .seconds(6))
  }

  @Test(
    "On a machine without an uptime, the time of the server's store overrides its Date header")
  func withoutUptime() {
    let one = ServerClock(
      of: "https://a.example", keeper: file.keeper, now: machine.wall, uptime: { nil })
    one.note(lead: .hours(1))
    #expect(one.lead == .hours(1))
    note(one)
    #expect(one.nowOnServer == Self.server)
    one.note(lead: .hours(1))
    #expect(one.nowOnServer == Self.server)
  }

  @Test("The server's time counts as unknown after a restart or when the machine's clocks disagree")
  func isUnknown() {
    let one = clock()
    note(one)
    // Set, or a virtual machine that was stopped.
    machine.jump(60)
    #expect(one.isUnknown && one.begin().at == nil && one.begin().after == Self.server)
    note(one)
    #expect(!one.isUnknown)
    machine.restart()
    #expect(one.isUnknown && one.begin().after == Self.server)
  }

  @Test("Setting the clock while a request waits doesn't change the age that the request reports")
  func age() {
    let one = clock()
    note(one)
    let start = one.begin()
    machine.advance(20)
    for jump in [-3_600.0, 7_200] {
      machine.jump(jump)
      #expect(one.madeHeader(start).value.hasSuffix("; age=20000; era=3"))
    }
  }

  @Test("An answer that took 6 seconds doesn't set the server's time; the machine may have slept")
  func slowAnswer() {
    let one = clock()
    let begun = one.machine
    machine.advance(6)
    one.note(
      ServerReference(time: Self.server, account: UUID(), hasGate: false).text, session: "digest",
      since: begun)
    #expect(one.isUnknown)
  }

  @Test(
    "The server's time is saved at the first answer and every 5 minutes; a malformed one never is")
  func keeping() {
    let one = clock()
    for _ in 0..<7 {
      note(one)
      machine.advance(60)
    }
    #expect(file.contents.withLock { $0.writes } == 2)
    for text in [nil, "", "time=1", "time=-1; account=x; gate=1", "time=x; account=y; gate=0"] {
      clock().note(text, session: "digest", since: clock().machine)
    }
    #expect(file.contents.withLock { $0.writes } == 2)
    file.contents.withLock { $0.bytes = Data("[]".utf8) }
    #expect(clock().isUnknown)
  }
}
