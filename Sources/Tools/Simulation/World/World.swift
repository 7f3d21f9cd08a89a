import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization

/// A simulated machine with its store, monitors, servers and people.
final class World: Sendable {
  let scenario: Scenario
  let scheduler = Scheduler()
  let clock: SimulatedClock
  let random: Confined<SplitMix64>
  let oracle: Confined<Oracle>
  let servers: Confined<Servers>
  let monitors: Confined<[SimulatedMonitor]>
  /// How often people have written to the store, and how often monitors have planned.
  let acts: Confined<Int>
  let plans: Confined<Int>
  /// A hash that differs between runs that differ.
  let fingerprint: Confined<UInt64>
  /// The sum of the wall clock's jumps.
  private let jumped = Mutex(0.0)
  /// The last large change of the wall clock, and until when a monitor may still use the old time.
  private let doubt: Confined<(span: TimeInterval, end: Moment)?>
  /// The last small jump back, and until when messages planned before it can be sent although they
  /// aren't due again yet.
  private let setback: Confined<(span: TimeInterval, end: Moment)?>
  let changes: Changes
  let sabotage: Sabotage?
  private let trace: (@Sendable (String) -> Void)?
  private let stop: Confined<Bool>
  /// Whether faults have ended.
  var isSettling: Bool { settling.value }
  private let settling: Confined<Bool>

  static let start = Date(timeIntervalSince1970: 1_795_000_000)

  init(_ scenario: Scenario, sabotage: Sabotage?, trace: (@Sendable (String) -> Void)?) {
    self.scenario = scenario
    self.sabotage = sabotage
    let scheduler = scheduler
    clock = SimulatedClock(scheduler: scheduler)
    random = Confined(SplitMix64(seed: scenario.seed), to: scheduler)
    oracle = Confined(Oracle(), to: scheduler)
    servers = Confined(Servers(), to: scheduler)
    monitors = Confined([], to: scheduler)
    acts = Confined(0, to: scheduler)
    plans = Confined(0, to: scheduler)
    fingerprint = Confined(0xcbf2_9ce4_8422_2325, to: scheduler)
    settling = Confined(false, to: scheduler)
    stop = Confined(false, to: scheduler)
    doubt = Confined(nil, to: scheduler)
    setback = Confined(nil, to: scheduler)
    changes = Changes(scheduler: scheduler)
    self.trace = trace
  }

  var now: Moment { scheduler.now }
  var wall: Date { Self.start.addingTimeInterval(now.seconds + jumped.withLock { $0 }) }

  /// When faults end.
  var end: Moment { .seconds(3_600 * scenario.hours) }

  func jumpWall(by span: TimeInterval) {
    jumped.withLock { $0 += span }
    if span < 0 { setback.value = (span, now + .seconds(-span)) }
    for monitor in monitors.value { monitor.state.value.disturbedAt = disturbance }
  }

  /// Whether the clock was set recently. It takes a monitor a minute to notice, two to trust the
  /// new time (ESC-5), and another minute or more to act.
  var isInDoubt: Bool { doubt.value.map { now < $0.end } ?? false }

  /// The times that monitors may currently use.
  var walls: ClosedRange<Date> {
    let old = [doubt.value, setback.value].compactMap { change in
      change.flatMap { now < $0.end ? wall.addingTimeInterval(-$0.span) : nil }
    }
    return old.reduce(wall, min)...old.reduce(wall, max)
  }

  /// When a monitor that is disturbed now can work again, if nothing else happens.
  var disturbance: Moment { max(now, doubt.value?.end ?? now) }

  /// Sets the clock by so much that monitors don't trust it at once.
  func setWall(by span: TimeInterval) {
    jumped.withLock { $0 += span }
    doubt.value = (span, now + .seconds(400))
    for monitor in monitors.value { monitor.state.value.disturbedAt = disturbance }
    oracle.value.clockWasSet(at: now, wall: nil)
    Task(executorPreference: scheduler) {
      await self.wait(milliseconds: 400_000)
      self.oracle.value.clockWasSet(at: self.now, wall: self.wall)
    }
  }

  func endFaults() { settling.value = true }

  /// Adds an event to the trace and its time to the fingerprint.
  func note(_ what: @autoclosure () -> String) {
    fingerprint.value = (fingerprint.value ^ UInt64(now / .milliseconds(1))) &* 0x100_0000_01b3
    if let trace { trace("\(now.timeText)  \(what())") }
  }

  /// Waits, but not to the end if the task is cancelled.
  func wait(milliseconds: Int) async {
    guard milliseconds > 0 else { return }
    try? await clock.sleep(for: .milliseconds(milliseconds))
  }

  // MARK: Judging

  /// Stops the simulation at the first broken rule.
  func judge(_ look: (inout Oracle) -> Void) {
    look(&oracle.value)
    guard let violation = oracle.value.violation, !stop.value else { return }
    note("VIOLATION of \(violation.rule): \(violation.text)")
    finish()
  }

  /// Stops everything.
  func finish() {
    stop.value = true
    scheduler.end()
    for monitor in monitors.value { monitor.stop() }
  }

  var isOver: Bool { stop.value }

  func judgeWaiting() {
    guard !isInDoubt else { return }
    let since = { [self] address in chance(of: address) }
    let chances = Chances(since: since, now: now, bound: scenario.bound)
    judge { [wall] in $0.judgeWaiting(chances, wall: wall) }
  }

  /// Checks that monitors rest if there is nothing to do. They are allowed one turn per heartbeat,
  /// write and message, the seconds in which another monitor may try first, and one every 20
  /// seconds if the store can fail.
  func judgeWork() {
    for monitor in monitors.value {
      let state = monitor.state.value
      let span = (now - state.startedAt).seconds
      let signs = Int(span) / scenario.heartbeat
      let tries = scenario.cuts > 0 ? Int(span) / 20 : 0
      // While a login is refused, the store names messages that nobody can send.
      let waits = scenario.logins > 0 ? Int(span) / 8 : 0
      let limit = signs + tries + waits + 2 * changes.count.value + 8 * state.attempts + 100
      judge {
        if state.turns > limit {
          $0.accuse("work", "a monitor took \(state.turns) turns in \(Int(span)) s, not \(limit)")
        }
      }
    }
    // An account is planned when someone wrote to it, when one of its messages was claimed and
    // recorded, when one of its times has come, and when a new watch begins.
    let attempts = monitors.value.map { $0.state.value.attempts }.reduce(0, +)
    let times = 20 * (scenario.hours + 1) + oracle.value.watches
    let limit = 100 + 4 * (acts.value + attempts) + scenario.people * times
    judge { [plans = plans.value] in
      if plans > limit { $0.accuse("work", "\(plans) plans were made, not \(limit)") }
    }
  }

  /// Checks that no work piles up in the store: if everything works, few messages wait.
  func judgeLoad(_ load: () async throws(StorageError) -> WatchLoad) async {
    let waiting = try? await scheduler.atOnce(load).pendingMessages
    let limit = 4 * oracle.value.people.values.map { $0.responders.count + 1 }.reduce(0, +)
    judge {
      if waiting ?? .max > limit {
        $0.accuse("memory", "\(waiting ?? -1) messages wait in the store, not \(limit)")
      }
    }
  }

  /// Returns since when a monitor could have notified an address.
  private func chance(of address: String) -> Moment? {
    guard let server = servers.value.well(address) else { return nil }
    return monitors.value.compactMap { $0.state.value.ableSince }.min().map { max($0, server) }
  }
}

/// Notifies the monitors of writes to the store.
final class Changes: Sendable {
  private let streams: Confined<[Int: AsyncStream<Void>.Continuation]>
  private let last: Confined<Int>
  let count: Confined<Int>

  init(scheduler: Scheduler) {
    streams = Confined([:], to: scheduler)
    last = Confined(0, to: scheduler)
    count = Confined(0, to: scheduler)
  }

  func stream() -> AsyncStream<Void> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      last.value += 1
      let id = last.value
      streams.value[id] = continuation
      continuation.onTermination = { [self] _ in streams.value[id] = nil }
    }
  }

  func notify() {
    count.value += 1
    for (_, stream) in streams.value.sorted(by: { $0.key < $1.key }) { stream.yield() }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

  /// The time as the trace shows it: `26:05:07.250`.
  var timeText: String {
    func padded(_ number: Int64, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    let (whole, rest) = (components.seconds, components.attoseconds / 1_000_000_000_000_000)
    return "\(padded(whole / 3_600, 2)):\(padded(whole / 60 % 60, 2)):\(padded(whole % 60, 2))"
      + ".\(padded(rest, 3))"
  }
}
