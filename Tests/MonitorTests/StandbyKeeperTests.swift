import Clients
import Domain
import FoundationEssentials
import SQLite
import Composable
import Synchronization
import Testing

@testable import Monitor

@Suite(
  "WCH-2: standby for when no monitor runs", .timeLimit(.minutes(1)))
struct StandbyKeeperTests {
  /// A service that counts its calls and can fail.
  private final class Service: Sendable {
    let beats = Mutex<[String]>([])
    let steps = Mutex<[StandbyDuty.Step]>([])
    let failure = Mutex<String?>(nil)
    let unreachableTopic = Mutex<String?>(nil)
    let lines = Mutex<[String]>([])

    var transport: StandbyTransport {
      StandbyTransport(
        beat: { url, isFailing, _ in
          self.beats.withLock { $0.append(isFailing ? url + "/fail" : url) }
          return self.failure.withLock { $0 }
        },
        updateScheduledMessage: { step, _ in
          self.steps.withLock { $0.append(step) }
          if case .cancel(let message) = step,
            self.unreachableTopic.withLock({ $0 == message.topic })
          {
            return "no route"
          }
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
      EmbeddedPlatform.inMemory(now: { time.now }).install(in: &values)
      user = try await values.authClient.createAccount(
        NewAccount(
          profile: Profile(name: "Ada"),
          responders: [ContactDraft(name: "Bo", email: "bo@example.org", roles: .responder)]))
      try await values.standbyClient.update(standby)
      keeper = StandbyKeeper(
        client: values.standbyClient, transport: service.transport, dateClient: values.dateClient,
        log: service.log)
      self.values = values
    }

    var steps: [StandbyDuty.Step] { service.steps.withLock { $0 } }
    var beats: Int { service.beats.withLock { $0.count } }
  }

  private static let topic = "https://ntfy.sh/ada"
  private static let heartbeat = "https://hc-ping.com/ada"

  @Test("WCH-2: the app shows that a standby service refuses, until the service works again")
  func answers() async throws {
    let world = try await World(Standby(heartbeat: Self.heartbeat, topic: Self.topic))
    world.service.failure.withLock { $0 = "unknown (404)" }
    await world.keeper.turnEnded()
    #expect(
      try await world.values.watchClient.status().notice
        == "hc-ping.com doesn't take the heartbeat: unknown (404)."
        + " ntfy.sh doesn't take the message for when no monitor runs: unknown (404).")
    world.service.failure.withLock { $0 = nil }
    world.time.advance(.minutes(1))
    await world.keeper.turnEnded()
    let status = try await world.values.watchClient.status()
    #expect(status.notice == nil && status.standby?.works(at: world.time.now) == true)
  }

  @Test("The heartbeat URL is called once a minute, and at once after a clock was set back")
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

  @Test("While a heartbeat call takes over a minute, no second call is made")
  func slowRound() async throws {
    let world = try await World(Standby(heartbeat: Self.heartbeat))
    let (answers, answer) = AsyncStream.makeStream(of: Void.self)
    let (calls, call) = AsyncStream.makeStream(of: Void.self)
    let keeper = StandbyKeeper(
      client: world.values.standbyClient,
      transport: StandbyTransport(
        beat: { _, _, _ in
          call.yield()
          for await _ in answers { break }
          return nil
        }, updateScheduledMessage: { _, _ in nil }), dateClient: world.values.dateClient,
      log: world.service.log)
    let round = Task { await keeper.turnEnded() }
    var heard = calls.makeAsyncIterator()
    await heard.next()
    world.time.advance(.minutes(2))
    // This must not wait for the round that is still running, whose answer hasn't come.
    await keeper.turnEnded()
    answer.finish()
    await round.value
    world.time.advance(.minutes(1))
    await keeper.turnEnded()
    await heard.next()
  }

  @Test("A check-in moves the scheduled ntfy message, and removing the topic cancels the message")
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

  @Test("A failing standby service is called each minute and logged once, and so is its recovery")
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

  @Test("WCH-2: a new topic gets its message although the old topic's server can't be reached")
  func newTopic() async throws {
    let world = try await World(Standby(topic: Self.topic))
    await world.keeper.turnEnded()
    let end = world.user.deadline.graceEnd + .minutes(10)
    let other = "https://ntfy.example.org/ada"
    try await world.values.standbyClient.update(Standby(topic: other))
    world.service.unreachableTopic.withLock { $0 = Self.topic }
    world.time.advance(.minutes(1))
    await world.keeper.turnEnded()
    #expect(
      world.steps.suffix(2) == [
        .cancel(WaitingMessage(topic: Self.topic, date: end)),
        .schedule(WaitingMessage(topic: other, date: end)),
      ])
    #expect(
      try await world.values.standbyClient.duties().first?.waiting
        == WaitingMessage(topic: other, date: end))
    world.time.advance(.minutes(1))
    await world.keeper.turnEnded()
    #expect(world.steps.count == 3)
  }

  @Test("WCH-2: after the grace time a working monitor postpones the scheduled message by an hour")
  func keptBack() async throws {
    let world = try await World(Standby(topic: Self.topic))
    await world.keeper.turnEnded()
    world.time.date.withLock { $0 = world.user.deadline.graceEnd }
    await world.keeper.turnEnded()
    #expect(
      world.steps.last
        == .schedule(WaitingMessage(topic: Self.topic, date: world.time.now + .hours(1))))
  }

  @Test(
    "WCH-2: while responders can't be notified, the heartbeat fails and no message is postponed")
  func mute() async throws {
    let world = try await World(Standby(heartbeat: Self.heartbeat, topic: Self.topic))
    await world.keeper.turnEnded(failing: [.webhook])
    #expect(world.service.beats.withLock { $0 } == [Self.heartbeat])
    let end = WaitingMessage(topic: Self.topic, date: world.user.deadline.graceEnd + .minutes(10))
    #expect(world.steps == [.schedule(end)])
    world.time.date.withLock { $0 = world.user.deadline.graceEnd }
    for _ in 0..<15 {
      await world.keeper.turnEnded(failing: [.email])
      world.time.advance(.minutes(1))
    }
    #expect(world.steps == [.schedule(end)])
    #expect(
      world.service.beats.withLock { $0 }.dropFirst()
        == Array(repeating: Self.heartbeat + "/fail", count: 15)[...])
  }

  @Test(
    "WCH-2: at most eight standby services are called at once, and one that hangs delays no other")
  func atOnce() async throws {
    let duties = (1...20).map { number in
      StandbyDuty(
        account: UUID(), name: "Ada",
        deadline: Deadline(
          lastCheckIn: Time().now, interval: .standard, grace: .minutes(15), pausedUntil: nil),
        standby: Standby(
          heartbeat: number <= 10 ? "https://hc-ping.com/\(number)" : nil,
          topic: number > 10 ? "https://ntfy.sh/\(number)" : nil))
    }
    let crowd = Crowd(size: 8)
    var values = DependencyValues()
    EmbeddedPlatform.inMemory(now: { Time().now }).install(in: &values)
    var client = values.standbyClient
    client.duties = { duties }
    let keeper = StandbyKeeper(
      client: client,
      transport: StandbyTransport(
        beat: { _, _, _ in await crowd.meet() },
        updateScheduledMessage: { _, _ in await crowd.meet() }
      ),
      dateClient: values.dateClient)
    await keeper.turnEnded()
    #expect(crowd.visits == 20 && crowd.most == 8)
  }

  /// A barrier that holds callers until enough of them have arrived.
  private final class Crowd: Sendable {
    private struct Contents {
      var waiting: [CheckedContinuation<Void, Never>] = []
      var isOpen = false
      var (here, most, visits) = (0, 0, 0)
    }

    private let size: Int
    private let contents = Mutex(Contents())
    var most: Int { contents.withLock { $0.most } }
    var visits: Int { contents.withLock { $0.visits } }

    init(size: Int) { self.size = size }

    func meet() async -> String? {
      await withCheckedContinuation { continuation in
        let free = contents.withLock { contents in
          contents.visits += 1
          contents.here += 1
          contents.most = max(contents.most, contents.here)
          contents.waiting.append(continuation)
          if contents.waiting.count == size { contents.isOpen = true }
          guard contents.isOpen else { return [CheckedContinuation<Void, Never>]() }
          defer { contents.waiting = [] }
          return contents.waiting
        }
        for continuation in free { continuation.resume() }
      }
      contents.withLock { $0.here -= 1 }
      return nil
    }
  }
}
