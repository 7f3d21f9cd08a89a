import Clients
import Composable
import Cryptography
import Domain
import Foundation
import SQLite
import ServerProtocol
import Store
import Synchronization
import TestSupport
import Testing

@testable import SharedPlatform

/// Random lives of a device that is offline: it is restarted, its wall clock is set, its virtual
/// machine is stopped, and it makes, sends and repeats check-ins in any order (OFF-3).
///
/// `SCHEDULES=100000` runs more of them.
@Suite("Schedules of kept check-ins", .timeLimit(.minutes(20)))
struct KeptCheckInScheduleTests {
  private static let count =
    ProcessInfo.processInfo.environment["SCHEDULES"].flatMap { Int($0) } ?? 400

  private final class ReferenceFile: Sendable {
    let bytes = Mutex<Data?>(nil)
  }

  /// A device, with the clocks that it has.
  private final class Device {
    let machine: JumpingClock
    /// How far its clocks are behind because it was stopped.
    private var behind = 0.0
    private let file = ReferenceFile()
    /// Check-ins that were made, and when in truth.
    var made: [(start: ServerClock.Start, at: Date)] = []
    private(set) lazy var clock = makeClock()

    init(_ date: Date) { machine = JumpingClock(date) }

    private func makeClock() -> ServerClock {
      ServerClock(
        of: "https://a.example",
        keeper: .init(
          load: { [file] in file.bytes.withLock(\.self) },
          keep: { [file] bytes in file.bytes.withLock { $0 = bytes } }), now: machine.wall,
        uptime: { [machine] in Uptime(boot: machine.running.boot, seconds: machine.running.seconds)
        }
      )
    }

    func restart() {
      machine.restart(after: 0)
      clock = makeClock()
    }

    /// Lets time pass. While a machine is stopped, neither of its clocks goes on.
    func pass(_ seconds: Double, isStopped: Bool) {
      if isStopped { behind += seconds } else { machine.advance(seconds) }
    }

    /// Sets the wall clock of a machine that was stopped.
    func correct() {
      machine.jump(behind)
      behind = 0
    }
  }

  private func run(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let time = Mutex(Date(timeIntervalSince1970: 1_790_000_000))
    var now: Date { time.withLock(\.self) }
    let lane = try EmbeddedPlatform.openLaneInMemory(now: { time.withLock(\.self) })
    func values(_ token: String?, _ made: RequestTime?) -> (RemoteSession, DependencyValues) {
      let session = RemoteSession(
        token: token, device: "a laptop", signUpPolicy: .open(code: nil), made: made)
      let clients = StoreClients(
        lane, session: session, makeUUID: { UUID() }, hashing: .minimal,
        startMonitor: { (_: Bool) async throws(StorageError) in })
      return (session, DependencyValues { clients.install(in: &$0) })
    }
    let (session, first) = values(nil, nil)
    var user = try await first.authClient.createAccount(
      NewAccount(
        profile: Profile(name: "Ida"),
        credentials: Credentials(email: "ida@example.org", password: Secret("four random words"))))
    let token = session.heldToken
    let devices = [Device(now), Device(now)]
    for step in 0..<14 {
      let device = devices[Int.random(in: 0...1, using: &random)]
      let wait = Double(Int.random(in: 1...7_200, using: &random))
      time.withLock { $0 += wait }
      for each in devices { each.pass(wait, isStopped: Int.random(in: 0...7, using: &random) == 0) }
      // A machine that was stopped gets its time again before it does anything.
      device.correct()
      switch Int.random(in: 0...9, using: &random) {
      case 0:
        device.restart()
        // Its hardware clock may run in local time.
        device.machine.jump(Double([-7_200, 0, 0, 28_800].randomElement(using: &random)!))
      case 1...2:
        device.clock.note(
          ServerReference(time: now, account: user.id, hasGate: false).text, session: "digest",
          since: device.clock.machine)
      case 3...6:
        device.made.append((device.clock.begin(), now))
      default:
        guard let (start, at) = device.made.randomElement(using: &random) else { continue }
        let header = device.clock.keptHeader(start).value
        let after = try await values(token, RequestTime(header: header)).1.checkInClient
          .deliver(.manual)
        let what = Comment(
          rawValue: "seed \(seed), step \(step): \(header), made \(at), now \(now)")
        #expect(after.lastCheckIn >= user.lastCheckIn, what)
        #expect(after.deadline.date >= user.deadline.date, what)
        if after.lastCheckIn != user.lastCheckIn {
          // Never later than the truth: nobody has more time than they promised.
          #expect(after.lastCheckIn <= at + RequestTime.tolerance, what)
        }
        // The same again changes nothing.
        let again = try await values(token, RequestTime(header: header)).1.checkInClient
          .deliver(.manual)
        #expect(
          again.deadline == after.deadline || now.timeIntervalSince(at) < 30, what)
        user = again
      }
    }
  }

  @Test("OFF-3: in 400 random lives of a device no check-in counts from later than it was made")
  func schedules() async throws {
    for seed in 0..<Self.count { try await run(seed: UInt64(seed)) }
  }
}
