import Clients
import Domain
import FoundationEssentials

/// `lifesignal restore`: restores a backup of the store.
struct RestoreCommand: PlainCommand, LocalCommand {
  var name: String?
  var isConfirmed: Bool
  var lists: Bool

  static let declaration = CommandDeclaration(
    "restore", "Restore a backup",
    discussion: [
      "A monitor backs up the store on each day it changes, and keeps the last seven backups"
        + " in ~/.local/share/lifesignal/backups.",
      "The current store is kept under another name. Stop all monitors and quit the app"
        + " first. What happened since the backup is lost, so check in after restoring.",
    ],
    takesAccount: false, exitCodes: [.locked]
  ) { syntax in
    let name = syntax.argument(
      "NAME", "The backup, by its name in --list (default: the newest)", isRequired: false)
    let list = syntax.flag("list", "List the backups")
    let yes = syntax.flag("yes", "Don't ask before replacing a healthy store")
    return { arguments in
      RestoreCommand(
        name: try arguments.value(of: name), isConfirmed: arguments.isSet(yes),
        lists: arguments.isSet(list))
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let folders = try invocation.folders()
    let backups = try invocation.storeAccess.backups(folders)
    if lists {
      guard !backups.isEmpty else { return Report(["There are no backups in \(folders.backups)."]) }
      return Report(backups.map { "\($0.name)  \(max(1, $0.bytes / 1_024)) KiB" })
    }
    if isWell(invocation, folders) {
      if !isConfirmed {
        try await invocation.confirm("The store isn't damaged. Replace it with an older backup?")
      }
      try await invocation.passingGate(of: .restoreStore, folders)
    }
    let report: StoreRestoration
    do { report = try invocation.storeAccess.restore(folders, name) } catch {
      guard error == .busy else { throw error }
      throw CommandFailure(
        "The store is in use.",
        advice:
          "Quit the app and stop the monitors first: systemctl --user stop \(ServiceUnit.name),"
          + " or pkill lifesignal-mon.")
    }
    let isAlertWaiting = await invocation.sendWaitingAlerts(folders)
    var lines = ["Restored \(report.backup.name)."]
    if let path = report.previousStore { lines.append("The previous store is kept as \(path).") }
    if isAlertWaiting {
      lines.append("The alert that was raised in the meantime is sent now: lifesignal status.")
    }
    var warnings = [
      "Check in now: what happened since the backup is lost. Start your monitor again."
    ]
    let alerts = try? await invocation.clients(folders)?.alertClient
      .currentHistory(StatusReport.alertLimit)
    if !isAlertWaiting, alerts?.raisedByHand != nil {
      _ = try? await invocation.machine.startMonitor(folders)
      warnings.insert(
        "An alert is on, and is sent to everyone who hasn't been sent it. If you need no help, run"
          + " lifesignal alert off.", at: 0)
    }
    return Report(lines, warnings: warnings)
  }

  /// Returns whether the store is usable, so that restoring would lose newer data.
  private func isWell(_ invocation: Invocation, _ folders: Folders) -> Bool {
    guard invocation.machine.entry(folders.database) != .nothing else { return false }
    do {
      _ = try invocation.storeAccess.open(folders, nil, false)
      return true
    } catch { return !error.isDamage }
  }
}
