import Clients
import Domain
import FoundationEssentials
import InMemoryPlatform
import Composable
import Synchronization
import Testing

@testable import Monitor

@Suite("WCH-2: The monitor keeps up who notices when it falls silent")
struct StandbyKeeperTests {
  /// A service that counts, and can be out of order.
  private final class Service: Sendable {
    let beats = Mutex<[String]>([])
    let steps = Mutex<[StandbyDuty.Step]>([])
    let failure = Mutex<String?>(nil)
    let lines = Mutex<[String]>([])

    var carrier: StandbyCarrier {
      StandbyCarrier(
        beat: { url in
          self.beats.withLock { $0.append(url) }
          return self.failure.withLock { $0 }
        },
        move: { step, _ in
          self.steps.withLock { $0.append(step) }
          return self.failure.withLock { $0 }
        })
    }

    var log: MonitorLog { MonitorLog { _, line in self.lines.withLock { $0.append(line) } } }
  }

  private final class Time: Sendable {
    let date = Mutex(Date(timeIntervalSince1970: 1_795_000_000))
    var now: Date { date.withLock { $0 } }
    func advance(_ span: TimeSpan) { date.withLock { $0 = $0 + span } }
  }

  private struct World {
    let service = Service()
    let time = Time()
    let values: DependencyValues
    let keeper: StandbyKeeper
    let user: User

    init(_ standby: Standby) async throws {
      let time = time
      var values = DependencyValues()
      InMemoryPlatform(now: { time.now }).install(in: &values)
      user = try await values.authClient.createAccount(
        NewAccount(profile: Profile(name: "Ada"), responders: []))
      try await values.standbyClient.update(standby)
      keeper = StandbyKeeper(
        client: values.standbyClient, carrier: service.carrier, dateClient: values.dateClient,
        log: service.log)
      self.values = values
    }

    var steps: [StandbyDuty.Step] { service.steps.withLock { $0 } }
    var beats: Int { service.beats.withLock { $0.count } }
  }

  private static let topic = "https://ntfy.sh/ada"
  private static let heartbeat = "https://hc-ping.com/ada"

  @Test("A heartbeat is called once a minute while turns go well")
  func heartbeat() async throws {
    let world = try await World(Standby(heartbeat: Self.heartbeat))
    await world.keeper.turnEnded()
    await world.keeper.turnEnded()
    #expect(world.beats == 1)
    world.time.advance(.seconds(59))
    await world.keeper.turnEnded()
    #expect(world.beats == 1)
    world.time.advance(.seconds(1))
    await world.keeper.turnEnded()
    #expect(world.beats == 2 && world.steps == [])
    world.time.advance(.minutes(-30))
    await world.keeper.turnEnded()
    #expect(world.beats == 3, "a clock that was set back does not silence it")
  }

  @Test("A check-in moves the message that waits, and nothing else does")
  func moves() async throws {
    let world = try await World(Standby(topic: Self.topic))
    await world.keeper.turnEnded()
    let first = WaitingMessage(
      topic: Self.topic, date: world.user.deadline.graceEnd + .minutes(10))
    #expect(world.steps == [.schedule(first)])
    world.time.advance(.hours(3))
    await world.keeper.turnEnded()
    #expect(world.steps.count == 1)
    let user = try await world.values.checkInClient.checkIn(.manual)
    world.time.advance(.minutes(1))
    await world.keeper.turnEnded()
    let second = WaitingMessage(topic: Self.topic, date: user.deadline.graceEnd + .minutes(10))
    #expect(world.steps == [.schedule(first), .schedule(second)])
    try await world.values.standbyClient.update(Standby())
    world.time.advance(.minutes(1))
    await world.keeper.turnEnded()
    world.time.advance(.minutes(1))
    await world.keeper.turnEnded()
    #expect(world.steps.last == .cancel(second) && world.steps.count == 3)
  }

  @Test("What fails is tried again, and logged once until it is over")
  func failures() async throws {
    let world = try await World(Standby(heartbeat: Self.heartbeat, topic: Self.topic))
    world.service.failure.withLock { $0 = "no route" }
    for _ in 0..<3 {
      await world.keeper.turnEnded()
      world.time.advance(.minutes(1))
    }
    #expect(world.beats == 3 && world.steps.count == 3)
    #expect(world.service.lines.withLock { $0 }.count == 2)
    #expect(try await world.values.standbyClient.duties().first?.waiting == nil)
    world.service.failure.withLock { $0 = nil }
    await world.keeper.turnEnded()
    #expect(world.service.lines.withLock { $0 }.count == 4)
    #expect(try await world.values.standbyClient.duties().first?.waiting != nil)
    #expect(!world.service.lines.withLock { $0 }.joined().contains("ntfy.sh"))
  }
}
