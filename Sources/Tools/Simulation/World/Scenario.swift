import Composable
import Domain

/// The parameters of a simulation, chosen by its seed: how many people and monitors there are, and
/// how much goes wrong.
package struct Scenario: Sendable {
  package enum Store: String, Sendable, CaseIterable {
    case memory, files, postgres
  }

  package var seed: UInt64
  package var store: Store
  var people: Int
  var monitors: Int
  /// How long people act and things go wrong. After that everything works, and nobody may be left
  /// waiting for a message.
  var hours: Int
  var heartbeat: Int
  /// How many messages a monitor sends at once.
  var concurrency: Int
  /// The duration of a call to the store, in milliseconds.
  var storeDelay: ClosedRange<Int>
  /// The duration of an attempt to send, in milliseconds.
  var serverDelay: ClosedRange<Int>
  /// How often per hour a monitor is killed or asked to stop.
  var kills: Double
  /// The probability that a monitor is killed at a step: before or after a call to the store or a
  /// server.
  var killsPerStep: Double
  /// How often per hour a monitor is cut off from the store or from all servers.
  var cuts: Double
  /// How often per hour something changes at the server of each address.
  var weather: Double
  /// How often per hour the wall clock jumps.
  var jumps: Double
  /// How often per hour the wall clock jumps so far that monitors don't trust it at once.
  var leaps: Double
  /// How often per hour the mail account stops working.
  var logins: Double
  /// How often per hour a person does something besides checking in.
  var whims: Double
  /// Whether people can promise set times. They are read off the wall clock, which must not jump.
  var hasSetTimes: Bool
  /// Whether responders wait for others (ESC-8).
  var hasWaits: Bool
  /// Whether people go out (OUT-1).
  var hasOutings: Bool
  /// Whether what people type checks in (CHK-10).
  var hasSigns: Bool
  /// Whether a device can be offline for hours: its times mean nothing once the clock was set.
  var hasOfflineDevices: Bool { store == .memory && jumps == 0 && leaps == 0 }

  package init(seed: UInt64, store: Store = .memory) {
    var random = SplitMix64(seed: seed ^ 0x5EED)
    self.seed = seed
    self.store = store
    let isLarge = store == .memory && random.chance(0.005)
    // Most worlds are small: bugs show up with few people, and small worlds allow more seeds.
    let isSmall = random.chance(0.7)
    people =
      isLarge ? random.scaled(30...200) : isSmall ? random.integer(1...3) : random.scaled(1...10)
    monitors = random.chance(0.1) ? random.integer(3...6) : random.integer(1...2)
    // Sometimes more than two days, after which calls are no longer repeated (ESC-2).
    let isLong = random.chance(0.01)
    hours = isLong ? 54 : people > 10 ? 4 : isSmall ? random.integer(3...5) : random.integer(3...10)
    if isLong { people = min(people, 3) }
    heartbeat = random.pick([30, 60])
    concurrency = random.pick([1, 2, 8])
    storeDelay = random.pick([0...0, 0...20, 0...20, 5...400])
    serverDelay = random.pick([0...100, 50...2_000, 50...2_000, 100...30_000])
    let isCalm = random.chance(0.15)
    kills = isCalm ? 0 : random.pick([0, 0.5, 2, 6])
    killsPerStep = isCalm ? 0 : random.pick([0, 0.000_5, 0.005])
    cuts = isCalm ? 0 : random.pick([0, 0.5, 2])
    weather = isCalm ? 0 : random.pick([0, 0.2, 1])
    jumps = isCalm ? 0 : random.pick([0, 0, 0.3])
    whims = random.pick([0.1, 0.5, 2])
    leaps = isCalm || isLong ? 0 : random.pick([0, 0, 0.3])
    logins = isCalm ? 0 : random.pick([0, 0, 0.2])
    hasSetTimes = jumps == 0 && leaps == 0 && random.chance(0.6)
    hasOutings = jumps == 0 && leaps == 0 && random.chance(0.6)
    hasSigns = jumps == 0 && leaps == 0 && random.chance(0.4)
    hasWaits = jumps == 0 && leaps == 0 && random.chance(0.8)
  }

  var heartbeatLease: TimeSpan { .seconds(3 * heartbeat) }

  /// The longest time until everyone is notified once nothing fails any more.
  ///
  /// A quarter of an hour covers the longest pause between two attempts (5 min plus 20 %, or what a
  /// server asks for, at most 5 min), the lease of a monitor that died (90 s), the pause of a
  /// monitor whose store had failed (30 s), and a missed wake-up (one heartbeat, at most 1 min).
  /// Waiting for capacity, also behind slow servers, or for the store is added.
  var bound: Duration {
    let addresses = 5 * people
    let turns = (addresses + concurrency - 1) / concurrency
    let sending = 3 * turns * serverDelay.upperBound
    let slowness = 20_000 * turns
    let storing = 12 * addresses * storeDelay.upperBound
    return .seconds(900) + .milliseconds(sending + slowness + storing)
  }
}
