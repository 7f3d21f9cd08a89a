import Domain

/// What a seed makes of a simulation: how many people and monitors, and how much goes wrong.
package struct Scenario: Sendable {
  package enum Store: String, Sendable, CaseIterable {
    case memory, files, postgres
  }

  package var seed: UInt64
  package var store: Store
  var people: Int
  var monitors: Int
  /// How long people live and things go wrong; after that everything works, and nobody may still
  /// wait for a word.
  var hours: Int
  var heartbeat: Int
  /// How many messages a monitor has under way at once.
  var concurrency: Int
  /// How long a call of the store takes, in milliseconds.
  var storeDelay: ClosedRange<Int>
  /// How long an attempt takes, in milliseconds.
  var serverDelay: ClosedRange<Int>
  /// How often a monitor is killed or asked to end, in an hour.
  var kills: Double
  /// How likely a monitor is killed at a step: before or after a call of the store or of a server.
  var killsPerStep: Double
  /// How often a monitor is cut off from the store or from all servers, in an hour.
  var cuts: Double
  /// How often something changes at a server, in an hour and for each address.
  var weather: Double
  /// How often the wall clock jumps, in an hour.
  var jumps: Double
  /// How often the wall clock jumps so far that it is not believed at once, in an hour.
  var leaps: Double
  /// How much a person does besides checking in, in an hour.
  var whims: Double

  package init(seed: UInt64, store: Store = .memory) {
    var random = SeededRandom(seed: seed ^ 0x5EED)
    self.seed = seed
    self.store = store
    let isLarge = store == .memory && random.chance(0.005)
    // Most worlds are small: what goes wrong needs few people, and many seeds.
    let isSmall = random.chance(0.7)
    people =
      isLarge ? random.scaled(30...200) : isSmall ? random.integer(1...3) : random.scaled(1...10)
    monitors = random.chance(0.1) ? random.integer(3...6) : random.integer(1...2)
    // Now and then two days and more, after which nobody is notified again (ESC-2).
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
  }

  var heartbeatLease: TimeSpan { .seconds(3 * heartbeat) }

  /// The longest time in which everybody is notified when nothing fails any more.
  ///
  /// A quarter of an hour covers the longest pause between two attempts (5 min and 20 %, or what a
  /// server asks for, at most 5 min here), a lease of a monitor that died (90 s), the pause of a
  /// monitor whose store had failed (30 s) and a missed wake (a heartbeat, at most 1 min). What waits
  /// for a free place or for the store comes on top.
  var bound: Duration {
    let addresses = 5 * people
    let turns = (addresses + concurrency - 1) / concurrency
    let sending = 3 * turns * serverDelay.upperBound
    let storing = 12 * addresses * storeDelay.upperBound
    return .seconds(900) + .milliseconds(sending + storing)
  }
}
