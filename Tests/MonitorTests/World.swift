import Clients
import Composable
import ComposableFoundation
import ComposableTesting
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import TestSupport

@testable import Monitor

/// A store in memory, a clock moved by the test, and monitors that watch the store.
@MainActor final class World {
  let clock = TestClock()
  let platform: EmbeddedPlatform
  let clients: DependencyValues
  let mailbox = Mailbox()
  let log = Log()
  private var lastMonitor: UInt64 = 500

  /// - Parameter jump: How far the machine's wall clock is from the time that its store judges it by;
  ///   `nil` for a store that doesn't judge it.
  init(jump: Jump? = nil) {
    let clock = clock
    platform = EmbeddedPlatform.inMemory(
      now: { start + clock.offset + (jump?.seconds ?? 0) },
      uptime: { jump.map { _ in Uptime(boot: "boot", seconds: 1_000_000 + clock.offset) } },
      makeUUID: { UUID() }, clock: TestClock())
    var clients = DependencyValues()
    platform.install(in: &clients)
    self.clients = clients
  }

  var now: Date { start + clock.offset }
  var deadline: Date { start + .hours(24) }

  /// Creates Ada's account with Bob and Cyd as responders.
  func openAccount(
    responders: [String] = ["Bob", "Cyd"], email: String? = nil, reminders: [TimeSpan] = []
  ) async throws {
    _ = try await clients.authClient.createAccount(
      .named("Ada", responders: responders, email: email, reminders: reminders))
    try await clients.notifyResponders(at: now)
  }

  func monitor(
    _ store: MonitorClient? = nil, deliveryService: DeliveryService? = nil, seed: UInt64 = 1,
    upkeep: UpkeepClient? = nil, service: ServiceManager? = nil, fallback: FallbackClient? = nil,
    damagedStore: DamagedStoreClient? = nil
  ) -> MonitorLoop<TestClock> {
    lastMonitor += 1
    let clock = clock
    return MonitorLoop(
      id: UUID(lastMonitor), store: store ?? clients.monitorClient,
      deliveryService: deliveryService ?? mailbox.deliveryService,
      dateClient: DateClient(now: { start + clock.offset }, calendar: .utc), clock: clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: seed)), log: log.monitorLog,
      upkeep: upkeep, service: service, fallback: fallback, damagedStore: damagedStore)
  }

  /// A monitor that dies at a point. Its clock doesn't wait, so that a dead one ends. It sends one
  /// message at a time, so that the points come in the same order in every run.
  func monitor(dyingAt crash: Crash) -> MonitorLoop<TurnClock> {
    lastMonitor += 1
    return MonitorLoop(
      id: UUID(lastMonitor), store: crash.store(clients.monitorClient),
      deliveryService: crash.deliveryService(mailbox), dateClient: .constant(now),
      clock: TurnClock(),
      random: WithRandomNumberGenerator(SplitMix64(seed: 1)),
      pace: .init(concurrency: 1))
  }

  /// Advances the clock while another monitor sends heartbeats but does nothing else.
  func advance(to date: Date) async throws {
    let watcher = UUID(499)
    for time in stride(from: now, to: date, by: 120) + [date] {
      _ = try await clients.monitorClient.heartbeat(watcher, time, .seconds(1), nil)
    }
    try await clients.monitorClient.resign(watcher)
    await clock.advance(by: .seconds(date.timeIntervalSince(now)))
  }

  /// Advances the clock while no monitor watches.
  func sleep(until date: Date) async {
    await clock.advance(by: .seconds(date.timeIntervalSince(now)))
  }

  /// Runs a monitor's turns in sequence, sleeping as long as it asks for.
  func live(_ monitor: MonitorLoop<TestClock>, until end: Date) async {
    var schedule = MonitorTurns(loop: monitor)
    while now < end {
      let claimed = await schedule.next()
      for delivery in claimed { await monitor.send(delivery) }
      if claimed.isEmpty {
        await clock.advance(by: min(schedule.pause, .seconds(end.timeIntervalSince(now))))
      }
    }
  }
}

extension DependencyValues {
  /// Sends responders the message that they were named, which these tests aren't about.
  func notifyResponders(at now: Date) async throws {
    for account in try await monitorClient.due(now, 100) {
      _ = try await monitorClient.apply(Plan(), account.user.id, account.revision, now)
    }
    for delivery in try await monitorClient.claim(now, .seconds(60), ClaimRequest(limit: 100)) {
      _ = try await monitorClient.record(delivery.id, delivery.token, .sent, nil, now)
    }
  }
}

extension NewAccount {
  static func named(
    _ name: String, responders: [String], email: String? = nil, reminders: [TimeSpan] = []
  ) -> NewAccount {
    NewAccount(
      profile: Profile(name: name, email: email), reminders: reminders,
      responders: responders.map {
        ContactDraft(name: $0, email: "\($0.lowercased())@example.org", roles: .responder)
      })
  }
}

extension TestClock {
  /// The time since the clock's start.
  nonisolated var offset: TimeInterval {
    let time = now.offset.components
    return Double(time.seconds) + Double(time.attoseconds) / 1e18
  }
}

extension Date {
  static func + (date: Date, seconds: TimeInterval) -> Date { date.addingTimeInterval(seconds) }
}

/// The messages that reached a server.
final class Mailbox: Sendable {
  struct Arrival: Equatable, Sendable {
    var stage: Stage
    var name: String
    var messageID: MessageID
  }

  typealias Script = @Sendable (ClaimedDelivery) async -> DeliveryOutcome

  private struct Contents {
    var arrivals: [Arrival] = []
    var attempts: [ClaimedDelivery] = []
    var script: Script = { _ in .sent }
    var waiting: [(Int, CheckedContinuation<Void, Never>)] = []
  }

  private let contents = Mutex(Contents())

  var arrivals: [Arrival] { contents.withLock { $0.arrivals } }
  var attempts: [ClaimedDelivery] { contents.withLock { $0.attempts } }
  /// The arrivals in the form `non_responsive Bob`.
  var lines: [String] { arrivals.map { "\($0.stage.storageKey) \($0.name)" } }

  func answer(_ script: @escaping Script) { contents.withLock { $0.script = script } }

  var deliveryService: DeliveryService { DeliveryService { [self] in await deliver($0) } }

  func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let script = contents.withLock { contents in
      contents.attempts.append(delivery)
      return contents.script
    }
    let outcome = await script(delivery)
    guard outcome == .sent else { return outcome }
    let reached = contents.withLock { contents in
      contents.arrivals.append(
        Arrival(
          stage: delivery.stage, name: delivery.recipientName, messageID: delivery.messageID))
      let count = contents.arrivals.count
      let reached = contents.waiting.filter { $0.0 <= count }
      contents.waiting.removeAll { $0.0 <= count }
      return reached.map(\.1)
    }
    for continuation in reached { continuation.resume() }
    return outcome
  }

  /// Waits until `count` messages have arrived.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = contents.withLock { contents in
        if contents.arrivals.count >= count { return true }
        contents.waiting.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}

/// The lines that a monitor logged.
final class Log: Sendable {
  private let contents = Mutex<[String]>([])
  var lines: [String] { contents.withLock { $0 } }
  var monitorLog: MonitorLog {
    MonitorLog { [self] level, what in contents.withLock { $0.append("\(level): \(what)") } }
  }
}
