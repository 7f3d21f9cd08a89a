public import Clients
public import Composable
public import Domain
public import FoundationEssentials
import Synchronization

/// A monitor: looks at the accounts that need it, plans, delivers and records, and sleeps until
/// something changes.
///
/// It may be killed anywhere. What was planned is in the store; what was claimed comes free when the
/// lease ends; what was sent is recorded after sending, never before, so that nobody is lost and at
/// most a message arrives twice under one identity (ESC-3).
public struct MonitorLoop<Time: Clock>: Sendable where Time.Duration == Duration {
  /// How often a monitor shows that it lives, and how long it holds on to things.
  public struct Pace: Sendable {
    public var heartbeat: Duration
    /// How long after its last heartbeat a monitor counts as alive.
    public var heartbeatLease: TimeSpan
    /// How long a delivery is held. Longer than any attempt takes: libcurl's limits for the transfer
    /// and for the answer after it add up to just over a minute.
    public var lease: TimeSpan
    /// How many messages are on their way at once: each takes a thread and a connection, and this many
    /// of both are cheap.
    public var concurrency: Int
    /// How many of them to one destination: what a mail server lets one client do without being
    /// taken for an attack, and few enough that eight destinations may hang and others be served.
    public var concurrencyPerDestination: Int

    public init(
      heartbeat: Duration = .seconds(10), heartbeatLease: TimeSpan = .seconds(30),
      lease: TimeSpan = .seconds(90), concurrency: Int = 64,
      concurrencyPerDestination: Int = 8
    ) {
      self.heartbeat = heartbeat
      self.heartbeatLease = heartbeatLease
      self.lease = lease
      self.concurrency = concurrency
      self.concurrencyPerDestination = concurrencyPerDestination
    }
  }

  /// This monitor's identity, new for each process.
  public let id: UUID
  let store: MonitorClient
  let deliveryService: DeliveryService
  let time: Timekeeper<Time>
  let clock: Time
  let random: WithRandomNumberGenerator
  let log: MonitorLog
  let pace: Pace
  let executor: (any TaskExecutor)?
  let upkeep: UpkeepClient?
  let service: ServiceManager?
  let backoff = Backoff()
  private let moving = MovingAccounts()
  let memory: FallbackMonitor<Time>?
  let inspection: Inspection<Time>?
  private let unwatched: UnwatchedClient?

  /// - Parameters:
  ///   - executor: Where the loop's own tasks run; `nil` for the threads that all tasks share.
  ///     The caller of ``run()`` prefers the same one.
  ///   - upkeep: `nil` for a monitor that makes no backups.
  ///   - service: Who wants to hear how the monitor fares; `nil` for nobody.
  ///   - fallback: The store while it refuses to be written; `nil` for a monitor that waits for it.
  ///   - unwatched: What is left of the store when it is damaged; `nil` for a monitor that only logs it.
  public init(
    id: UUID, store: MonitorClient, deliveryService: DeliveryService, dateClient: DateClient,
    clock: Time,
    random: WithRandomNumberGenerator, log: MonitorLog = .silent,
    pace: Pace = Pace(), executor: (any TaskExecutor)? = nil, upkeep: UpkeepClient? = nil,
    service: ServiceManager? = nil, fallback: FallbackClient? = nil,
    unwatched: UnwatchedClient? = nil
  ) {
    self.id = id
    self.store = store
    self.deliveryService = deliveryService
    time = Timekeeper(clock: clock, wall: dateClient.now, log: log)
    self.clock = clock
    self.random = random
    self.log = log
    self.pace = pace
    self.executor = executor
    self.upkeep = upkeep
    inspection = upkeep.map {
      Inspection(client: $0, unwatched: unwatched, clock: clock, log: log)
    }
    self.unwatched = unwatched
    self.service = service
    memory = fallback.map {
      FallbackMonitor(client: $0, clock: clock, startedAt: dateClient.now(), log: log)
    }
  }

  /// Logs that another store watches an account's deadline, and that this one does from now on.
  func noteWatch(of account: MonitoredAccount) {
    guard moving.note(account.user.id, isElsewhere: account.isWatchedElsewhere) else { return }
    let place = account.isWatchedElsewhere ? "elsewhere" : "here"
    log.info("account \(account.user.id.short): its deadline is watched \(place)")
  }

  /// Watches until the task is cancelled; then finishes what is being sent, records it, and resigns.
  public func run() async {
    log.info("monitor \(id.short) starts")
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = store.changes()
    let sends = Sends()
    await withTaskGroup { group in
      group.addTask {
        for await _ in changes { wake.yield() }
      }
      var schedule = Schedule(loop: self)
      let upkeep = Upkeep(loop: self)
      wake.yield()
      for await _ in wakes {
        for delivery in await schedule.next(busy: sends.busy, problems: sends.problems) {
          sends.begin(delivery)
          group.addTask(priority: .high) { [leaseEnd = schedule.leaseEnd] in
            sends.end(delivery, await carry(delivery, until: leaseEnd).outcome)
            wake.yield()
          }
        }
        await upkeep.turnEnded(
          isHealthy: schedule.isHealthy, hasProblem: schedule.toldProblem?.isBlocking == true)
        if upkeep.beginsBackup() { group.addTask { await upkeep.backUp() } }
        if let inspection, inspection.begins(isSuspicious: !schedule.isHealthy) {
          group.addTask {
            let hasChanged = await inspection.inspect(at: { now })
            if hasChanged { wake.yield() }
            if hasChanged, inspection.damage != nil { await noticeDamage() }
          }
        }
        schedule.timer?.cancel()
        schedule.timer = Task(executorPreference: executor) { [pause = schedule.pause] in
          if (try? await clock.sleep(for: pause)) != nil { wake.yield() }
        }
      }
      schedule.timer?.cancel()
      upkeep.stops()
    }
    // Not in this task, which is cancelled: a store may refuse to work for it.
    await Task(executorPreference: executor) { await resign() }.value
    log.info("monitor \(id.short) ends")
  }

  /// Notifies everyone that nobody is being watched, while that is so.
  func noticeDamage(isOnce: Bool = false) async {
    guard let unwatched, inspection?.beginsNotice() != false else { return }
    defer { inspection?.endNotice() }
    await UnwatchedNotice(
      client: unwatched, deliveryService: deliveryService, now: { now }, clock: clock,
      random: random, log: log
    ).send(isOnce: isOnce) { inspection?.damage != nil }
  }

  /// Shows up as a monitor, unless another one is alive.
  /// - Returns: whether this one is to watch.
  public func joinIfNone() async throws(StorageError) -> Bool {
    let problem = await deliveryService.readiness().problem
    guard try await store.heartbeat(id, { self.now }, pace.heartbeatLease, problem) > 0 else {
      return true
    }
    try await store.resign(id)
    return false
  }

  /// The time in whole milliseconds, as stores keep it: what is not due here is not due there.
  var now: Date {
    // The fraction makes up for what the division of an instant of the store may have lost.
    let milliseconds = (time.now.timeIntervalSince1970 * 1_000 + 0.01).rounded(.down)
    return Date(timeIntervalSince1970: milliseconds / 1_000)
  }

  func resign() async {
    do { try await store.resign(id) } catch {
      log.warning("could not resign: \(error.text.code)")
    }
  }
}

/// The messages that are on their way.
final class Sends: Sendable {
  private struct Contents {
    var busy: [Destination: Int] = [:]
    var problems: [Channel.Kind: String] = [:]
  }

  private let contents = Mutex(Contents())

  /// How many there are for each destination.
  var busy: [Destination: Int] { contents.withLock { $0.busy } }
  /// What is wrong with our settings, as the last answers have it.
  var problems: [Channel.Kind: String] { contents.withLock { $0.problems } }

  func begin(_ delivery: ClaimedDelivery) {
    contents.withLock { $0.busy[delivery.destination, default: 0] += 1 }
  }

  func end(_ delivery: ClaimedDelivery, _ outcome: DeliveryOutcome) {
    contents.withLock { contents in
      let left = contents.busy[delivery.destination, default: 1] - 1
      contents.busy[delivery.destination] = left > 0 ? left : nil
      guard !delivery.isHidden, delivery.pretence == nil else { return }
      // Any other answer means that the settings took the message to its server.
      contents.problems[delivery.channel] =
        if case .misconfigured(let reason) = outcome { reason } else { nil }
    }
  }
}

extension ClaimedDelivery {
  var destination: Destination { Destination(kind: channel, address: address) }
}

extension UUID {
  /// The first eight digits: enough to tell a log's lines apart.
  var short: String { String(uuidString.lowercased().prefix(8)) }
}

/// The accounts whose deadlines are watched elsewhere, as far as this process has seen them.
private final class MovingAccounts: Sendable {
  private let accounts = Mutex<Set<User.ID>>([])

  /// - Returns: Whether that is new.
  func note(_ account: User.ID, isElsewhere: Bool) -> Bool {
    accounts.withLock { accounts in
      isElsewhere ? accounts.insert(account).inserted : accounts.remove(account) != nil
    }
  }
}
