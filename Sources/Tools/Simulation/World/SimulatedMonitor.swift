import Clients
import Composable
import Domain
import FoundationEssentials
import Monitor
import Synchronization

/// One monitor process: the real loop, with a store and servers that fail.
final class SimulatedMonitor: Sendable {
  struct State {
    var isDead = false
    /// It was asked to stop, and finishes what it has begun.
    var isEnding = false
    var storeCut: Cut?
    var isCutFromServers = false
    /// Its machine sleeps, or the process is stopped.
    var isAsleep = false
    /// When it was last disturbed, if only by its own death.
    var disturbedAt: Moment
    var turns = 0
    var attempts = 0
    let startedAt: Moment

    /// Since when it could do all its work, or `nil` if it can't.
    var ableSince: Moment? {
      isDead || isEnding || isAsleep || storeCut != nil || isCutFromServers ? nil : disturbedAt
    }
  }

  /// How the connection to the store is cut.
  enum Cut: String, CaseIterable {
    case before
    /// The store executes requests, but its answers are lost.
    case answers
  }

  let number: Int
  let state: Confined<State>
  let task: Confined<Task<Void, Never>?>
  private let awakening: Confined<[AsyncStream<Void>.Continuation]>
  private let world: World

  init(_ number: Int, in world: World) {
    self.number = number
    self.world = world
    state = Confined(
      State(disturbedAt: world.disturbance, startedAt: world.now), to: world.scheduler)
    task = Confined(nil, to: world.scheduler)
    awakening = Confined([], to: world.scheduler)
  }

  func start(_ store: MonitorClient) {
    let scenario = world.scenario
    let world = world
    let sabotage = world.sabotage
    let random = world.random
    let faulty = faultyStore(store)
    let sabotaged = sabotage?.store(faulty, world: world) ?? faulty
    let deliveryService = DeliveryService(
      readiness: { [self] in
        state.value.turns += 1
        return DeliveryService.Readiness()
      },
      mailRoute: {
        MailRoute(key: "mail \(world.servers.value.password)", server: "mail.example.org")
      }, deliver: { [self] in await deliver($0) })
    let loop = MonitorLoop(
      id: random.value.uuid(), store: sabotaged,
      deliveryService: sabotage?.deliveryService(deliveryService, store: sabotaged, world: world)
        ?? deliveryService,
      dateClient: DateClient(
        now: { world.wall.addingTimeInterval(sabotage == .fireEarly ? 600 : 0) }, calendar: .utc),
      clock: world.clock,
      random: WithRandomNumberGenerator(SplitMix64(seed: random.value.next())),
      pace: .init(
        heartbeat: .seconds(scenario.heartbeat), heartbeatLease: scenario.heartbeatLease,
        concurrency: scenario.concurrency, concurrencyPerDestination: 8),
      executor: world.scheduler)
    world.note("monitor \(number) starts")
    task.value = Task(executorPreference: world.scheduler) {
      await loop.run()
      world.note("monitor \(self.number) has ended")
      self.state.value.isDead = true
    }
  }

  // MARK: Disturbances

  /// Kills the monitor; nothing it does from now on has an effect.
  func kill(_ where: String) {
    guard !state.value.isDead else { return }
    world.note("monitor \(number) is killed \(`where`)")
    state.value.isDead = true
    state.value.disturbedAt = world.disturbance
    task.value?.cancel()
  }

  /// Stops at the end of the simulation.
  func stop() {
    state.value.isDead = true
    task.value?.cancel()
  }

  func askToEnd() {
    guard !state.value.isDead, !state.value.isEnding else { return }
    world.note("monitor \(number) is asked to end")
    state.value.isEnding = true
    state.value.disturbedAt = world.disturbance
    task.value?.cancel()
  }

  func cutFromStore(_ cut: Cut?) {
    world.note(
      "monitor \(number): \(cut.map { "cut off the store (\($0))" } ?? "has the store back")")
    state.value.storeCut = cut
    state.value.disturbedAt = world.disturbance
  }

  func cutFromServers(_ isCut: Bool) {
    world.note("monitor \(number): \(isCut ? "cut off" : "has back") all servers")
    state.value.isCutFromServers = isCut
    state.value.disturbedAt = world.disturbance
  }

  /// Suspends the monitor until `end`. Its clocks go on.
  func sleep(until end: Moment) async {
    guard !state.value.isAsleep else { return }
    world.note("monitor \(number) sleeps")
    state.value.isAsleep = true
    state.value.disturbedAt = world.disturbance
    try? await world.clock.sleep(until: .init(offset: end))
    world.note("monitor \(number) is awake")
    state.value.isAsleep = false
    state.value.disturbedAt = world.disturbance
    awakening.value.forEach { $0.finish() }
    awakening.value = []
  }

  /// Waits until the monitor is awake.
  private func beAwake() async {
    guard state.value.isAsleep, !state.value.isDead else { return }
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    awakening.value.append(end)
    for await _ in stream {}
  }

  /// Kills the monitor at this step if chance decides so.
  private func passStep(_ step: @autoclosure () -> String) {
    guard !state.value.isDead, !world.isSettling,
      world.random.value.chance(world.scenario.killsPerStep)
    else { return }
    kill(step())
  }

  // MARK: The store

  /// Calls the store like a process that can die or be cut off before or after the call.
  private func call<Value>(
    _ name: String, _ body: () async throws(StorageError) -> Value,
    andThen observe: (Value) -> Void = { _ in }
  ) async throws(StorageError) -> Value {
    await world.wait(milliseconds: world.random.value.integer(world.scenario.storeDelay))
    await beAwake()
    passStep("before \(name)")
    guard !state.value.isDead else { throw .unknown("dead") }
    if state.value.storeCut == .before { throw .busy }
    let value = try await world.scheduler.atOnce(body)
    observe(value)
    await beAwake()
    passStep("after \(name)")
    guard !state.value.isDead else { throw .unknown("dead") }
    if state.value.storeCut == .answers { throw .busy }
    return value
  }

  private func faultyStore(_ store: MonitorClient) -> MonitorClient {
    MonitorClient {
      $0.heartbeat = { [self] (id, now, lease, problem) async throws(StorageError) in
        let written = WrittenTime()
        return try await call("heartbeat") { () async throws(StorageError) in
          try await store.heartbeat(id, { written.note(now()) }, lease, problem)
        } andThen: { [world] _ in
          if let date = written.date { world.oracle.value.signOfLife(at: date, world.now) }
        }
      }
      $0.resign = { [self] (id) async throws(StorageError) in
        try await call("resign") { () async throws(StorageError) in try await store.resign(id) }
      }
      $0.due = { [self] (now, limit) async throws(StorageError) in
        try await call("due") { () async throws(StorageError) in try await store.due(now, limit) }
      }
      $0.apply = { [self] (plans, now) async throws(StorageError) in
        try await call("apply") { () async throws(StorageError) in
          try await store.apply(plans, now)
        } andThen: { results in
          for (plan, result) in zip(plans, results) where (try? result.get()) == true {
            applied(plan.plan, plan.account)
          }
        }
      }
      $0.claim = { [self] (now, lease, request) async throws(StorageError) in
        try await call("claim") { () async throws(StorageError) in
          try await store.claim(now, lease, request)
        } andThen: {
          claimed($0)
        }
      }
      $0.renew = { [self] (id, token, end) async throws(StorageError) in
        try await call("renew") { () async throws(StorageError) in
          try await store.renew(id, token, end)
        }
      }
      $0.record = { [self] (id, token, outcome, retryAt, now) async throws(StorageError) in
        try await call("record") { () async throws(StorageError) in
          try await store.record(id, token, outcome, retryAt, now)
        } andThen: {
          if $0 { recorded(id, outcome, isLast: retryAt == nil, by: now) }
        }
      }
      $0.nextWake = { [self] () async throws(StorageError) in
        try await call("nextWake") { () async throws(StorageError) in try await store.nextWake() }
      }
      // Alerts in files can be read even without a connection to the store.
      $0.spooled = { [self] in
        state.value.isDead ? [] : await world.scheduler.atOnce { await store.spooled() }
      }
      $0.takeSpooled = { [self] (alert) async throws(StorageError) in
        let isDue = alert.armed?.isDue(at: world.wall) == true
        try await call("takeSpooled") { () async throws(StorageError) in
          try await store.takeSpooled(alert)
        } andThen: {
          world.note("monitor \(number) takes an alert from its file")
          if let account = alert.account {
            world.oracle.value.people[account]?.inFiles.remove(alert.id)
          }
          if isDue, let account = alert.account { raised(alert.id, of: account) }
          world.changes.notify()
        }
      }
      $0.changes = { [self] in world.changes.stream() }
    }
  }

  private func applied(_ plan: Plan, _ account: User.ID) {
    world.plans.value += 1
    if let start = plan.graceFrom {
      world.note("monitor \(number) starts \(world.oracle.value.name(account))'s grace time again")
      let scenario = world.scenario
      let wasDisturbed =
        scenario.kills + scenario.killsPerStep + scenario.cuts + scenario.jumps + scenario.leaps > 0
      world.judge { [now = world.now, walls = world.walls] in
        $0.graceBegins(at: start, of: account, now: now, walls, wasDisturbed: wasDisturbed)
      }
    }
    if let start = plan.changedOuting?.graceFrom,
      world.oracle.value.people[account]?.outing?.graceFrom != start
    {
      let scenario = world.scenario
      let wasDisturbed =
        scenario.kills + scenario.killsPerStep + scenario.cuts + scenario.jumps + scenario.leaps > 0
      world.judge { [walls = world.walls] in
        $0.outingGraceBegins(at: start, of: account, walls, wasDisturbed: wasDisturbed)
      }
    }
    for case .outingEnds(.zero, let end) in plan.stagesToShow
    where world.oracle.value.people[account]?.outing?.until == end {
      world.oracle.value.people[account]?.outing?.wasNoticedInTime = true
    }
    if plan.stagesToShow.contains(.deadlinePassed) {
      world.oracle.value.people[account]?.promise.wasNoticedInTime = true
    }
    if let alert = plan.raisedAlert { raised(alert.id, of: account) }
    if let alert = plan.outingAlert {
      world.note(
        "monitor \(number) raises the outing's alert of \(world.oracle.value.name(account))")
      world.judge { [now = world.now, walls = world.walls] in
        $0.raisedOuting(alert, of: account, at: now, walls)
      }
    }
    if let alert = plan.missedAlert {
      world.note("monitor \(number) raises the missed alert of \(world.oracle.value.name(account))")
      world.judge { [now = world.now, walls = world.walls] in
        $0.raised(alert, of: account, at: now, walls)
      }
    }
    for delivery in plan.deliveries {
      world.judge { [now = world.now] in $0.judgeOrder(delivery, of: account, at: now) }
    }
    for delivery in plan.deliveries where delivery.stage.isRepeat && !world.isInDoubt {
      world.judge { [now = world.now] in $0.repeats(delivery, of: account, at: now) }
    }
    for drill in plan.endedDrills {
      world.note("monitor \(number) ends the drill of \(world.oracle.value.name(account))")
      world.judge { [now = world.now] in $0.endedDrill(drill, of: account, at: now) }
    }
    world.changes.notify()
  }

  private func raised(_ armed: Alert.ID, of account: User.ID) {
    world.note("monitor \(number) raises the armed alert of \(world.oracle.value.name(account))")
    world.judge { [now = world.now, walls = world.walls] in
      $0.raisedArmed(armed, of: account, at: now, walls)
    }
  }

  private func claimed(_ deliveries: [ClaimedDelivery]) {
    for delivery in deliveries {
      world.note("monitor \(number) takes \(world.text(delivery)), attempt \(delivery.attempt)")
      world.judge { [now = world.now, walls = world.walls] in
        $0.claimed(delivery, at: now, walls)
      }
    }
    if !deliveries.isEmpty { world.changes.notify() }
  }

  private func recorded(_ delivery: UUID, _ outcome: DeliveryOutcome, isLast: Bool, by wall: Date) {
    let isGivenUp = isLast && outcome != .sent
    world.judge { $0.recorded(delivery, outcome, isGivenUp: isGivenUp, by: wall) }
    world.changes.notify()
  }

  // MARK: Servers

  private func deliver(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    passStep("before sending \(world.text(delivery))")
    guard !state.value.isDead else { return .retry(reason: "dead", after: nil) }
    let world = world
    state.value.attempts += 1
    world.judge { [number, now = world.now] oracle in
      oracle.sendingBegins(delivery, by: number, at: now) { monitor, since in
        world.monitors.value[monitor].state.value.disturbedAt >= since
      }
    }
    let outcome = await attempt(delivery)
    guard !state.value.isDead else { return .retry(reason: "dead", after: nil) }
    world.note("monitor \(number) sent \(world.text(delivery)): \(outcome.text)")
    world.judge { $0.sendingEnds(delivery) }
    await beAwake()
    passStep("after sending \(world.text(delivery))")
    return outcome
  }

  private func attempt(_ delivery: ClaimedDelivery) async -> DeliveryOutcome {
    let condition = world.servers.value.condition(of: delivery.address)
    let delay =
      switch condition {
      case .hanging: 30_000
      case .slow: 1_000 * world.random.value.integer(20...Servers.Condition.longestWait)
      default: world.random.value.integer(world.scenario.serverDelay)
      }
    await world.wait(milliseconds: delay)
    guard !state.value.isDead else { return .retry(reason: "dead", after: nil) }
    if state.value.isCutFromServers { return .retry(reason: "no connection", after: nil) }
    let now = world.now
    switch world.servers.value.login {
    case .well: break
    case .refused:
      world.judge { $0.loginFailed(at: now) }
      return .accessRefused(reason: "wrong password")
    case .missing: return .misconfigured(reason: "no login offered")
    }
    switch condition {
    case .slow where Task.isCancelled: return .retry(reason: "stopped", after: nil)
    case .well, .slow:
      world.judge { $0.accepted(delivery, isSaid: true, at: now) }
      return .sent
    case .busy:
      let wish = world.random.value.pick([nil, 1, 60, 300])
      return .retry(reason: "busy", after: wish.map(TimeSpan.seconds))
    case .full: return .limited(reason: "limit of the day")
    case .lying:
      world.judge { $0.accepted(delivery, isSaid: false, at: now) }
      return .ambiguous(reason: "no clear answer")
    case .mute:
      if world.random.value.chance(0.5) {
        world.judge { $0.accepted(delivery, isSaid: false, at: now) }
      }
      return .ambiguous(reason: "cut")
    case .hanging: return .retry(reason: "no answer", after: nil)
    case .refusing: return .permanent(reason: "no such user")
    case .closed: return .accessRefused(reason: "policy", scope: .message)
    }
  }
}

extension World {
  func text(_ delivery: ClaimedDelivery) -> String {
    "\(delivery.stage.storageKey) about \(oracle.value.name(delivery.user.id)) to \(delivery.address)"
  }
}

extension DeliveryOutcome {
  fileprivate var text: String { reason ?? "sent" }
}

/// Captures the time that the store writes for a heartbeat.
private final class WrittenTime: Sendable {
  private let contents = Mutex<Date?>(nil)

  var date: Date? { contents.withLock { $0 } }

  func note(_ date: Date) -> Date {
    contents.withLock { $0 = date }
    return date
  }
}
