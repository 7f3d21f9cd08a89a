import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization

/// Continuously compares the store's indexes with its tables. SQLite trusts an index, and one wrong
/// bit in it could hide a person's deadline forever.
///
/// All rows are compared when the monitor starts and after a failed turn. After that, each turn
/// compares enough rows for all of them to be covered every five minutes.
final class Inspection<Time: Clock>: Sendable where Time.Duration == Duration {
  private struct Contents {
    var isRunning = false
    var isNoticing = false
    var isCalling = false
    /// How many pieces cover all rows; `nil` before the end of the first round, which runs without
    /// pauses.
    var pieces: Int?
    var done = 0
    var begunAt: Time.Instant
    /// When a damaged store is inspected again.
    var nextInspection: Time.Instant
    var damage: String?

    /// Begins a round without pauses.
    mutating func begin(at now: Time.Instant) { (pieces, done, begunAt) = (nil, 0, now) }

    /// Returns how many pieces must be done by now.
    func goal(at now: Time.Instant) -> Int {
      guard let pieces else { return .max }
      return 1 + Int(Double(pieces) * (begunAt.duration(to: now) / Inspection.round))
    }
  }

  private let client: UpkeepClient
  private let damagedStore: DamagedStoreClient?
  private let clock: Time
  private let log: MonitorLog
  private let contents: Mutex<Contents>

  /// The time in which all rows are compared: half of what is promised, because turns take time
  /// too.
  static var round: Duration { .seconds(300) }
  /// How long to wait after finding a damaged store, or failing to inspect it.
  static var pause: Duration { .seconds(60) }

  init(client: UpkeepClient, damagedStore: DamagedStoreClient? = nil, clock: Time, log: MonitorLog)
  {
    self.client = client
    self.damagedStore = damagedStore
    self.clock = clock
    self.log = log
    contents = Mutex(Contents(begunAt: clock.now, nextInspection: clock.now))
  }

  /// What is wrong with the store; `nil` if nothing is known to be.
  var damage: String? { contents.withLock { $0.damage } }

  /// Claims the damage notice, unless it is already being sent.
  /// - Returns: Whether the caller must send it, and then call ``endNotice()``.
  func claimNotice() -> Bool {
    contents.withLock { contents in
      defer { contents.isNoticing = true }
      return !contents.isNoticing
    }
  }

  /// Claims the calls of a damaged store, unless they are already being sent.
  /// - Returns: Whether the caller must send them, and then call ``endCalls()``.
  func claimCalls() -> Bool {
    contents.withLock { contents in
      defer { contents.isCalling = true }
      return !contents.isCalling
    }
  }

  func endCalls() { contents.withLock { $0.isCalling = false } }

  func endNotice() { contents.withLock { $0.isNoticing = false } }

  /// Claims the next rows, if it is time for them.
  /// - Parameter isSuspicious: Whether the store failed, so that all of it is inspected now.
  /// - Returns: Whether the caller must call ``inspect(at:)``.
  func claimInspection(isSuspicious: Bool = false) -> Bool {
    contents.withLock { contents in
      guard !contents.isRunning, clock.now >= contents.nextInspection else { return false }
      if isSuspicious { contents.begin(at: clock.now) }
      contents.isRunning = contents.goal(at: clock.now) > contents.done
      return contents.isRunning
    }
  }

  /// Compares the next rows.
  /// - Returns: Whether the store was repaired, or its damage was found or has gone.
  func inspect(at now: @Sendable () -> Date) async -> Bool {
    var hasChanged = false
    do throws(StorageError) {
      var goesOn = true
      while goesOn, !Task.isCancelled {
        let inspection = try await client.inspect(now())
        hasChanged = note(inspection) || hasChanged
        goesOn = contents.withLock { $0.goal(at: clock.now) > $0.done && $0.damage == nil }
        if inspection == .whole(isLast: true) {
          await damagedStore?.markRepaired()
          goesOn = false
        }
      }
    } catch {
      log.warning("the store could not be inspected: \(error.text.code)")
      contents.withLock { $0.nextInspection = clock.now.advanced(by: Self.pause) }
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
        contents.nextInspection = clock.now.advanced(by: Self.pause)
      }
      if before == nil { log.error("the store is damaged, nobody is being watched: \(fault)") }
    }
    if before != nil, damage == nil { log.info("the store is in order again") }
    return inspection != .whole(isLast: true) && inspection != .whole(isLast: false)
      || before != damage
  }
}
