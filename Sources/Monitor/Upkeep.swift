import Clients
import Composable
import Domain
import FoundationEssentials
import Synchronization

/// A monitor's side jobs: reports its state to the service manager and makes backups.
final class Upkeep<Time: Clock>: Sendable where Time.Duration == Duration {
  private struct Contents {
    var isReady = false
    var nextStatus: Time.Instant
    /// The day whose backup is done, counted from 1970-01-01 UTC.
    var settledDay: Int?
    var nextBackup: Time.Instant
    var isBackingUp = false
  }

  private let loop: MonitorLoop<Time>
  private let contents: Mutex<Contents>

  /// How long to wait after a failed backup.
  private static var backupPause: Duration { .seconds(3_600) }

  init(loop: MonitorLoop<Time>) {
    self.loop = loop
    contents = Mutex(Contents(nextStatus: loop.clock.now, nextBackup: loop.clock.now))
  }

  // MARK: Service manager

  /// Reports the end of a turn. Only a turn in which the store did its part counts as a sign of
  /// life: a loop that hangs or can't do anything stays silent.
  func turnEnded(isHealthy: Bool, hasProblem: Bool) async {
    guard let service = loop.service, isHealthy else { return }
    var notifications: [ServiceManager.Notification] = []
    let (isFirst, wantsStatus) = contents.withLock { contents in
      let isFirst = !contents.isReady
      let wantsStatus = loop.clock.now >= contents.nextStatus
      if wantsStatus { contents.nextStatus = loop.clock.now.advanced(by: loop.pace.heartbeat) }
      contents.isReady = true
      return (isFirst, wantsStatus)
    }
    if isFirst { notifications.append(.ready) }
    notifications.append(.watchdog)
    if wantsStatus, let status = await status(hasProblem: hasProblem) {
      notifications.append(.status(status))
    }
    service.notify(notifications)
  }

  /// Reports that the monitor is stopping.
  func stops() { loop.service?.notify([.stopping, .status("finishing what is being sent")]) }

  private func status(hasProblem: Bool) async -> String? {
    guard let load = try? await loop.upkeep?.load() else { return nil }
    let accounts = "\(load.accounts) account\(load.accounts == 1 ? "" : "s")"
    let problem = hasProblem ? ", cannot send" : ""
    return "watching \(accounts), \(load.pendingMessages) waiting\(problem)"
  }

  // MARK: Backups

  /// Claims the day's backup, if it is due and not yet made.
  /// - Returns: Whether the caller must call ``backUp()``.
  func claimBackup() -> Bool {
    guard loop.upkeep != nil else { return false }
    return contents.withLock { contents in
      guard !contents.isBackingUp, contents.settledDay != day, loop.clock.now >= contents.nextBackup
      else { return false }
      contents.isBackingUp = true
      return true
    }
  }

  /// Makes the day's backup. A failure is logged and never stops the watch.
  func backUp() async {
    guard let upkeep = loop.upkeep else { return }
    let day = day
    var isSettled = true
    do {
      if case .made(let backup) = try await upkeep.backUp(loop.now) {
        loop.log.info("backup \(backup.name) made")
      }
    } catch {
      isSettled = false
      loop.log.error("no backup could be made: \(error.text.code)")
    }
    contents.withLock { contents in
      contents.isBackingUp = false
      if isSettled { contents.settledDay = day }
      contents.nextBackup = loop.clock.now.advanced(by: isSettled ? .zero : Self.backupPause)
    }
  }

  private var day: Int { Int(bounded: (loop.now.timeIntervalSince1970 / 86_400).rounded(.down)) }
}
