import Clients
import Domain
import FoundationEssentials

/// `lifesignal restore`: brings a backup of the store back.
struct RestoreCommand: PlainCommand {
  var name: String?
  var isConfirmed: Bool
  var lists: Bool

  static let declaration = CommandDeclaration(
    "restore", "Bring a backup of the store back",
    discussion: [
      "A monitor copies the store once a day when it has changed, and keeps the last seven copies in"
        + " ~/.local/share/lifesignal/backups.",
      "What is there now is moved aside, never deleted. Nothing else may use the store meanwhile: stop"
        + " monitors and leave the app first. What happened since the backup is not in it: check in"
        + " when it is back.",
    ],
    takesAccount: false, exitCodes: [.locked]
  ) { words in
    let name = words.argument(
      "NAME", "Which backup, as --list names it (default: the newest)", isRequired: false)
    let list = words.flag("list", "Show the backups that there are")
    let yes = words.flag("yes", "Replace a store that is well without asking")
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
        try await invocation.confirm("The store is not damaged. Replace it by an older copy?")
      }
      try await invocation.passingGate(of: .restoreStore, folders)
    }
    let report: StoreRestoration
    do { report = try invocation.storeAccess.restore(folders, name) } catch {
      guard error == .busy else { throw error }
      throw CommandFailure(
        "The store is in use.",
        advice: "Leave the app and stop the monitors first: systemctl --user stop"
          + " \(ServiceUnit.name), or pkill lifesignal-mon.")
    }
    await invocation.startMonitorBehindGate(folders)
    var lines = ["The store is again what it was when \(report.backup.name) was made."]
    if let path = report.setAside { lines.append("What was there is kept as \(path).") }
    return Report(
      lines,
      warnings: ["Check in now: what happened since then is not in it. Start your monitor again."])
  }

  /// Whether there is a store that can be used, so that restoring would lose what is newer.
  private func isWell(_ invocation: Invocation, _ folders: Folders) -> Bool {
    guard invocation.machine.entry(folders.database) != .nothing else { return false }
    do {
      _ = try invocation.storeAccess.open(folders, nil, false)
      return true
    } catch { return !error.isDamage }
  }
}
