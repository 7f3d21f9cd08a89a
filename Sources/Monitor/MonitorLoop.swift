public import Clients
public import Composable
public import Domain
public import FoundationEssentials
import Synchronization

/// A monitor: finds the accounts that need attention, plans, delivers and records, and sleeps until
/// something changes.
///
/// It can be killed at any point. Plans are in the store, claims expire with their lease, and
/// outcomes are recorded after sending, never before. So no message is lost; at worst one arrives
/// twice, with the same identity (ESC-3).
public struct MonitorLoop<Time: Clock>: Sendable where Time.Duration == Duration {
  /// How often a monitor shows that it is alive, how long its claims last, and how much it sends at
  /// once.
  public struct Pace: Sendable {
    public var heartbeat: Duration
    /// How long after its last heartbeat a monitor still counts as alive.
    public var heartbeatLease: TimeSpan
    /// How long a claim on a message lasts. It is renewed while the attempt is under way, which can
    /// take many minutes with a slow mail server; a killed monitor's messages wait no longer than
    /// this.
    public var lease: TimeSpan
    /// How many messages are sent at once. Each takes a thread and a connection; this many of both
    /// are cheap.
    public var concurrency: Int
    /// How many more may be waiting for servers that answer slowly, so that these leave room for
    /// the others (ESC-6).
    public var slowConcurrency: Int
    /// How long an attempt takes before it counts as slow.
    public var slowness: Duration
    /// How many of them go to one destination. A mail server accepts this many from one client
    /// without suspecting an attack, and it is few enough that others are served while seven
    /// destinations hang.
    public var concurrencyPerDestination: Int

    public init(
      heartbeat: Duration = .seconds(10), heartbeatLease: TimeSpan = .seconds(30),
      lease: TimeSpan = .seconds(90), concurrency: Int = 64, slowConcurrency: Int = 192,
      slowness: Duration = .seconds(10), concurrencyPerDestination: Int = 8
    ) {
      self.heartbeat = heartbeat
      self.heartbeatLease = heartbeatLease
      self.lease = lease
      self.concurrency = concurrency
      self.slowConcurrency = slowConcurrency
      self.slowness = slowness
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
  let isLeaving: @Sendable () -> Bool
  let upkeep: UpkeepClient?
  let service: ServiceManager?
  let backoff = Backoff()
  private let moving = MovingAccounts()
  let memory: FallbackMonitor<Time>?
  let inspection: Inspection<Time>?
  private let damagedStore: DamagedStoreClient?

  /// - Parameters:
  ///   - executor: Where the loop's own tasks run; `nil` for the shared thread pool. The caller of
  ///     ``run()`` should prefer the same executor.
  ///   - isLeaving: Whether it has resigned, and only sends what is due until it ends.
  ///   - upkeep: Backups and inspections; `nil` for a monitor that makes none.
  ///   - service: The service manager to report to; `nil` for none.
  ///   - fallback: Access to a store that refuses writes; `nil` for a monitor that waits until the
  ///     store accepts them.
  ///   - unwatched: Access to what is left of a damaged store; `nil` for a monitor that only logs
  ///     the damage.
  public init(
    id: UUID, store: MonitorClient, deliveryService: DeliveryService, dateClient: DateClient,
    clock: Time,
    random: WithRandomNumberGenerator, log: MonitorLog = .silent,
    pace: Pace = Pace(), executor: (any TaskExecutor)? = nil,
    isLeaving: @escaping @Sendable () -> Bool = { false }, upkeep: UpkeepClient? = nil,
    service: ServiceManager? = nil, fallback: FallbackClient? = nil,
    damagedStore: DamagedStoreClient? = nil
  ) {
    self.id = id
    self.store = store
    self.deliveryService = deliveryService
    time = Timekeeper(clock: clock, dateClient: dateClient, log: log)
    self.clock = clock
    self.random = random
    self.log = log
    self.pace = pace
    self.executor = executor
    self.isLeaving = isLeaving
    self.upkeep = upkeep
    inspection = upkeep.map {
      Inspection(client: $0, damagedStore: damagedStore, clock: clock, log: log)
    }
    self.damagedStore = damagedStore
    self.service = service
    memory = fallback.map {
      FallbackMonitor(client: $0, clock: clock, startedAt: dateClient.now(), log: log)
    }
  }

  /// Logs when the watch over an account's deadline has moved to another store or to this one.
  func noteWatch(of account: MonitoredAccount) {
    guard moving.note(account.user.id, isElsewhere: account.isWatchedElsewhere) else { return }
    let place = account.isWatchedElsewhere ? "elsewhere" : "here"
    log.info("account \(account.user.id.short): its deadline is watched \(place)")
  }

  /// Watches until the task is cancelled; then resigns, and finishes and records what is being sent.
  public func run() async {
    log.info("monitor \(id.short) starts")
    let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let changes = store.changes()
    let sends = Sends()
    let start = clock.now
    await withTaskGroup { group in
      group.addTask {
        for await _ in changes { wake.yield() }
      }
      var schedule = MonitorTurns(loop: self)
      let upkeep = Upkeep(loop: self)
      wake.yield()
      for await _ in wakes {
        let load = sends.load(slowSince: start.duration(to: clock.now) - pace.slowness)
        for delivery in await schedule.next(load, problems: sends.problems) {
          sends.begin(delivery, at: start.duration(to: clock.now))
          group.addTask(priority: .high) { [leaseEnd = schedule.leaseEnd] in
            sends.end(delivery, await send(delivery, until: leaseEnd).outcome)
            wake.yield()
          }
        }
        await upkeep.turnEnded(
          isHealthy: schedule.isHealthy, hasProblem: schedule.reportedProblem?.isBlocking == true)
        if upkeep.claimBackup() { group.addTask { await upkeep.backUp() } }
        if let inspection, inspection.claimInspection(isSuspicious: !schedule.isHealthy) {
          group.addTask {
            let hasChanged = await inspection.inspect(at: { now })
            if hasChanged { wake.yield() }
            if hasChanged, inspection.damage != nil {
              async let calls: Void = sendCallsFromDamagedStore()
              await noticeDamage()
              await calls
            }
          }
        }
        schedule.timer?.cancel()
        schedule.timer = Task(executorPreference: executor) { [pause = schedule.pause] in
          if (try? await clock.sleep(for: pause)) != nil { wake.yield() }
        }
      }
      schedule.timer?.cancel()
      upkeep.stops()
      // Before what is being sent is finished, which can take minutes: this monitor takes no more
      // turns, so that another must know that it is needed. Not in this task: it is cancelled, and a
      // store may refuse to work for it.
      await Task(executorPreference: executor) { await resign() }.value
    }
    log.info("monitor \(id.short) ends")
  }

  /// Notifies everyone that nobody is being watched, as long as the store is damaged.
  func noticeDamage(isOnce: Bool = false) async {
    guard let damageNotice, inspection?.claimNotice() != false else { return }
    defer { inspection?.endNotice() }
    await damageNotice.send(isOnce: isOnce) { inspection?.damage != nil }
  }

  /// Sends the alerts of people that this process doesn't know, as long as the store is damaged.
  func sendCallsFromDamagedStore(isOnce: Bool = false) async {
    guard let damageNotice, inspection?.claimCalls() != false else { return }
    defer { inspection?.endCalls() }
    await damageNotice.sendCalls(isOnce: isOnce, while: { inspection?.damage != nil }) { call in
      memory?.knows(call.user.id) != true
    }
  }

  private var damageNotice: DamageNotice<Time>? {
    damagedStore.map {
      DamageNotice(
        client: $0, deliveryService: deliveryService, now: { now }, clock: clock, random: random,
        log: log)
    }
  }

  /// Registers as a monitor, unless another one is alive.
  /// - Returns: Whether this monitor must watch.
  public func joinIfNone() async throws(StorageError) -> Bool {
    let problem = await deliveryService.readiness().problem
    guard try await store.heartbeat(id, { self.now }, pace.heartbeatLease, problem) > 0 else {
      return true
    }
    try await store.resign(id)
    return false
  }

  /// The time in whole milliseconds, as stores keep it, so that both agree on what is due.
  var now: Date {
    // The added fraction compensates for what converting a stored time may have lost.
    let milliseconds = (time.now.timeIntervalSince1970 * 1_000 + 0.01).rounded(.down)
    return Date(timeIntervalSince1970: milliseconds / 1_000)
  }

  /// Records that this monitor doesn't watch any more.
  public func resign() async {
    do { try await store.resign(id) } catch {
      log.warning("could not record the shutdown: \(error.text.code)")
    }
  }
}

/// The messages being sent.
final class Sends: Sendable {
  /// How many there are.
  struct Load: Equatable, Sendable {
    /// To each destination.
    var busy: [Destination: Int] = [:]
    /// How many of them have been under way for long.
    var slow = 0
  }

  private struct Contents {
    /// When each began, from the start of the loop.
    var begun: [UUID: (destination: Destination, at: Duration)] = [:]
    var problems: [Channel.Kind: String] = [:]
  }

  private let contents = Mutex(Contents())

  /// The problems with our settings, according to the latest answers.
  var problems: [Channel.Kind: String] { contents.withLock { $0.problems } }

  /// - Parameter start: When an attempt must have begun to count as slow.
  func load(slowSince start: Duration) -> Load {
    contents.withLock { contents in
      contents.begun.values.reduce(into: Load()) { load, send in
        load.busy[send.destination, default: 0] += 1
        if send.at <= start { load.slow += 1 }
      }
    }
  }

  func begin(_ delivery: ClaimedDelivery, at start: Duration) {
    contents.withLock { $0.begun[delivery.token] = (delivery.destination, start) }
  }

  func end(_ delivery: ClaimedDelivery, _ outcome: DeliveryOutcome) {
    contents.withLock { contents in
      contents.begun[delivery.token] = nil
      guard !delivery.isHidden, delivery.pretendedResult == nil else { return }
      // Any other outcome means that the settings got the message to its server.
      contents.problems[delivery.channel] =
        switch outcome {
        case .misconfigured(let reason), .accessRefused(let reason, .login): reason
        default: nil
        }
    }
  }
}

extension ClaimedDelivery {
  var destination: Destination { Destination(kind: channel, address: address) }
}

extension UUID {
  /// The first eight digits, enough to tell log lines apart.
  var short: String { String(uuidString.lowercased().prefix(8)) }
}

/// The accounts known to this process whose deadlines are watched elsewhere.
private final class MovingAccounts: Sendable {
  private let accounts = Mutex<Set<User.ID>>([])

  /// - Returns: Whether this is a change.
  func note(_ account: User.ID, isElsewhere: Bool) -> Bool {
    accounts.withLock { accounts in
      isElsewhere ? accounts.insert(account).inserted : accounts.remove(account) != nil
    }
  }
}
