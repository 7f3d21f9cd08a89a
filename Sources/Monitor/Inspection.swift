import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization

/// Compares the store's indexes with its tables all the time: SQLite believes an index, and one wrong bit
/// in it would keep a person from ever being found due.
///
/// All rows are compared when the monitor starts and after a turn that failed, and then within each five
/// minutes, as many at each turn as that takes.
final class Inspection<Time: Clock>: Sendable where Time.Duration == Duration {
  private struct Contents {
    var isRunning = false
    var isNoticing = false
    /// How many pieces all rows take; `nil` before the first round, which takes no pauses.
    var pieces: Int?
    var done = 0
    var begunAt: Time.Instant
    /// When a store that is damaged is looked at again.
    var nextLook: Time.Instant
    var damage: String?

    /// Begins a round that takes no pauses.
    mutating func begin(at now: Time.Instant) { (pieces, done, begunAt) = (nil, 0, now) }

    /// How many pieces are to be done by now.
    func goal(at now: Time.Instant) -> Int {
      guard let pieces else { return .max }
      return 1 + Int(Double(pieces) * (begunAt.duration(to: now) / Inspection.round))
    }
  }

  private let client: UpkeepClient
  private let unwatched: UnwatchedClient?
  private let clock: Time
  private let log: MonitorLog
  private let contents: Mutex<Contents>

  /// In what time all rows are compared: half of what is promised, since turns take time as well.
  static var round: Duration { .seconds(300) }
  /// How long after a look at a damaged store, or a failed one, the next is taken.
  static var pause: Duration { .seconds(60) }

  init(client: UpkeepClient, unwatched: UnwatchedClient? = nil, clock: Time, log: MonitorLog) {
    self.client = client
    self.unwatched = unwatched
    self.clock = clock
    self.log = log
    contents = Mutex(Contents(begunAt: clock.now, nextLook: clock.now))
  }

  /// What is wrong with the store; `nil` while nothing is known to be.
  var damage: String? { contents.withLock { $0.damage } }

  /// Whether nobody is being notified of damage just now; the caller then has to call ``endNotice()``.
  func beginsNotice() -> Bool {
    contents.withLock { contents in
      defer { contents.isNoticing = true }
      return !contents.isNoticing
    }
  }

  func endNotice() { contents.withLock { $0.isNoticing = false } }

  /// Whether it is time for the next rows; the caller then has to call ``inspect(at:)``.
  /// - Parameter isSuspicious: Whether the store failed, so that all of it is to be looked at now.
  func begins(isSuspicious: Bool = false) -> Bool {
    contents.withLock { contents in
      guard !contents.isRunning, clock.now >= contents.nextLook else { return false }
      if isSuspicious { contents.begin(at: clock.now) }
      contents.isRunning = contents.goal(at: clock.now) > contents.done
      return contents.isRunning
    }
  }

  /// Compares the next rows.
  /// - Returns: Whether the store was repaired, was found to be damaged, or is so no longer.
  func inspect(at now: @Sendable () -> Date) async -> Bool {
    var hasChanged = false
    do throws(StorageError) {
      var goesOn = true
      while goesOn, !Task.isCancelled {
        let inspection = try await client.inspect(now())
        hasChanged = note(inspection) || hasChanged
        goesOn = contents.withLock { $0.goal(at: clock.now) > $0.done && $0.damage == nil }
        if inspection == .whole(isLast: true) {
          await unwatched?.end()
          goesOn = false
        }
      }
    } catch {
      log.warning("the store could not be inspected: \(error.text.code)")
      contents.withLock { $0.nextLook = clock.now.advanced(by: Self.pause) }
    }
    contents.withLock { $0.isRunning = false }
    return hasChanged
  }

  private func note(_ inspection: StoreInspection) -> Bool {
    let before = damage
    switch inspection {
    case .whole(let isLast):
      contents.withLock { contents in
        contents.damage = nil
        contents.done += 1
        guard isLast else { return }
        contents.pieces = contents.done
        (contents.done, contents.begunAt) = (0, clock.now)
      }
    case .rebuilt(let fault):
      contents.withLock { contents in
        contents.damage = nil
        contents.begin(at: clock.now)
      }
      log.error("an index of the store was damaged and has been rebuilt: \(fault)")
    case .damaged(let fault):
      contents.withLock { contents in
        contents.damage = fault
        contents.nextLook = clock.now.advanced(by: Self.pause)
      }
      if before == nil { log.error("the store is damaged, nobody is being watched: \(fault)") }
    }
    if before != nil, damage == nil { log.info("the store is in order again") }
    return inspection != .whole(isLast: true) && inspection != .whole(isLast: false)
      || before != damage
  }
}
