import Clients
import Composable
import ComposableTesting
import Domain
import FoundationEssentials
import Synchronization
import Testing

@testable import Monitor

/// The schedule of a monitor's backups.
@MainActor @Suite struct BackupScheduleTests {
  let world = World()
  let backups = Backups()

  private var upkeep: UpkeepClient {
    UpkeepClient {
      $0.load = world.clients.upkeepClient.load
      $0.backUp = { [backups] now async throws(StorageError) in try backups.make(now) }
    }
  }

  /// Runs a monitor for some hours, ten minutes at a time.
  private func live(_ monitor: MonitorLoop<TestClock>, hours: Int) async {
    let task = Task { await monitor.run() }
    for _ in 0..<hours * 6 {
      await world.clock.waitForSleeps()
      await world.clock.advance(by: .seconds(600))
    }
    await world.clock.waitForSleeps()
    task.cancel()
    await task.value
  }

  @Test("A monitor makes a backup when it starts and at the start of each UTC day")
  func daily() async throws {
    try await world.openAccount()
    // The clock starts at 11:06:40 UTC.
    await live(world.monitor(upkeep: upkeep), hours: 40)
    #expect(backups.days == ["2026-11-18", "2026-11-19", "2026-11-20"])
    #expect(
      world.log.lines.filter { $0.contains("backup") }
        == backups.days.map { "info: backup lifesignal-\($0).db made" })
  }

  @Test("Only one backup is made at a time, and one a day")
  func oneAtATime() async {
    let work = Upkeep(loop: world.monitor(upkeep: upkeep))
    #expect(work.claimBackup())
    #expect(!work.claimBackup(), "it is being made")
    await work.backUp()
    #expect(!work.claimBackup(), "the day has one")
    await world.clock.advance(by: .seconds(86_400))
    #expect(work.claimBackup())
  }

  @Test("A failed backup is logged and retried after an hour; alerts still go out")
  func failure() async throws {
    try await world.openAccount(responders: ["Bob"])
    backups.failure.withLock { $0 = .full }
    let monitor = world.monitor(upkeep: upkeep)
    let task = Task { await monitor.run() }
    for _ in 0..<18 {
      await world.clock.waitForSleeps()
      await world.clock.advance(by: .seconds(600))
    }
    await world.clock.waitForSleeps()
    #expect((3...4).contains(backups.tries))
    _ = try await world.clients.alertClient.raise("Stuck")
    await world.mailbox.wait(for: 1)
    #expect(world.mailbox.lines == ["alert_on Bob"])
    task.cancel()
    // The last attempt may still have been running.
    await task.value
    let logged = world.log.lines.filter { $0 == "error: no backup could be made: DISK_FULL" }
    #expect(logged.count == backups.tries)
  }

  @Test("A monitor run from cron makes the backup too; a failed backup doesn't fail the run")
  func once() async throws {
    try await world.openAccount()
    #expect(await world.monitor(upkeep: upkeep).runOnce() == .init())
    #expect(backups.days == ["2026-11-18"])
    backups.failure.withLock { $0 = .corrupt(detail: "x") }
    #expect(await world.monitor(upkeep: upkeep).runOnce() == .init())
    #expect(world.log.lines.last == "error: no backup could be made: STORE_CORRUPT")
  }

  @Test("A monitor that is stopped finishes the backup that is being made")
  func endsInGoodOrder() async throws {
    try await world.openAccount()
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    var upkeep = upkeep
    let make = upkeep.backUp
    upkeep.backUp = { now async throws(StorageError) in
      enter.yield()
      await Task { for await _ in gate { break } }.value
      return try await make(now)
    }
    let monitor = world.monitor(upkeep: upkeep)
    let task = Task { await monitor.run() }
    for await _ in entered { break }
    task.cancel()
    open.yield()
    await task.value
    #expect(backups.days == ["2026-11-18"])
  }
}

/// A folder of backups in memory.
final class Backups: Sendable {
  private let dates = Mutex<[Date]>([])
  private let calls = Mutex(0)
  let failure = Mutex<StorageError?>(nil)

  var tries: Int { calls.withLock { $0 } }
  var days: [String] {
    dates.withLock { $0.map { CivilCalendar.utc.time(of: $0).dateText } }
  }

  func make(_ now: Date) throws(StorageError) -> BackupOutcome {
    calls.withLock { $0 += 1 }
    if let failure = failure.withLock({ $0 }) { throw failure }
    dates.withLock { $0.append(now) }
    let day = CivilCalendar.utc.time(of: now).dateText
    return .made(StoreBackup(name: "lifesignal-\(day).db", madeAt: now, bytes: 4_096))
  }
}
