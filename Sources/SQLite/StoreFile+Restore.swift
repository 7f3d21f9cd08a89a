import Clients
import FoundationEssentials
import Glibc
import Store

extension StoreFile {
  /// Restores a backup, and moves the current store aside.
  ///
  /// If the process is killed on the way, the store is as it was, or there is none but a marker
  /// says that there was one. That is reported, and restoring again fixes it.
  func restore(_ name: String?, now: Date) throws(StorageError) -> StoreRestoration {
    let lock = try lockForOneself()
    defer { withExtendedLifetime(lock) {} }
    let backups = BackupFolder(folders, schema: schema)
    let backup = try choose(name, from: backups, now: now)
    let unfinished = folders.database + ".restoring"
    unlink(unfinished)
    do throws(StorageError) {
      try PrivateFiles.makeFile(unfinished)
      let source = try Database(
        path: try PrivateFiles.resolved(backups.path(of: backup)), access: .immutable)
      try source.run("VACUUM INTO ?1", unfinished)
      let copy = try Database(path: try PrivateFiles.resolved(unfinished), access: .readWrite)
      // An alert that was armed when the backup was made was raised or stopped long ago (ALT-7).
      // Older stores have no such table.
      _ = try? copy.run("DELETE FROM armed_alert")
      copy.keepAlerts(of: folders.database)
      try backups.judge(unfinished)
      try PrivateFiles.synchronize(unfinished)
      if try PrivateFiles.entry(folders.storeMarker) == .nothing {
        try PrivateFiles.makeFile(folders.storeMarker)
      }
    } catch {
      unlink(unfinished)
      throw error
    }
    let aside = try moveAside(now: now)
    try linkFiles(of: unfinished)
    guard rename(unfinished, folders.database) == 0 else {
      throw PrivateFiles.failure("\(unfinished) could not be named")
    }
    try PrivateFiles.synchronize(folderOf: folders.database)
    // The note that the store is damaged isn't true of this one.
    unlink(folders.unwatched)
    return StoreRestoration(backup: backup, previousStore: aside)
  }

  /// Links the files that the rows of a database name (DOC-1), before it takes the store's place.
  /// They were moved aside with this store, or with one before it.
  private func linkFiles(of database: String) throws(StorageError) {
    let source = try Database(path: try PrivateFiles.resolved(database), access: .immutable)
    // Before schema 2 there were no files.
    guard let known = try? FileFolder.known(source) else { return }
    let folders = try PrivateFiles.names(in: self.folders.data).sorted(by: >)
      .map { self.folders.data + "/" + $0 }.filter {
        $0.hasPrefix(self.folders.files + ".set-aside-")
      }
    try FileFolder(path: self.folders.files).link(known, from: folders.map(FileFolder.init))
  }

  /// Returns the backup with a name, or the newest that is complete.
  private func choose(
    _ name: String?, from backups: BackupFolder, now: Date
  ) throws(StorageError) -> StoreBackup {
    let all = try backups.all(asOf: now)
    if let name {
      guard let backup = all.first(where: { $0.name == name }) else {
        throw .noBackup(path: folders.backups + "/" + name)
      }
      try backups.judge(backups.path(of: backup))
      return backup
    }
    for backup in all {
      do throws(StorageError) {
        try backups.judge(backups.path(of: backup))
        return backup
      } catch { continue }
    }
    throw .noBackup(path: folders.backups)
  }
}

extension Database {
  /// Takes over the alerts of the store that is being replaced, with what was sent about them: help
  /// that was asked for since the backup, and a silent alert, which a person who is forced to restore
  /// a backup doesn't end (CHK-3). An alert that was ended by hand since stays over.
  ///
  /// What can't be read of that store isn't taken. Alerts that are on also wait in files (ALT-7).
  fileprivate func keepAlerts(of store: String) {
    guard (try? run("ATTACH ?1 AS replaced", store)) != nil else { return }
    defer { try? script("DETACH replaced") }
    let sameAccount = """
      JOIN replaced.account AS past ON past.key = old.account
      JOIN main.account AS account ON account.id = past.id
      """
    let sameAlert = """
      JOIN replaced.alert AS past ON past.key = old.alert
      JOIN main.alert AS alert ON alert.id = past.id
      """
    let statements = [
      """
      UPDATE main.alert SET resolved_at = (
        SELECT old.resolved_at FROM replaced.alert AS old WHERE old.id = main.alert.id)
      WHERE resolved_at IS NULL AND kind = 'manual'
        AND id IN (SELECT id FROM replaced.alert WHERE resolved_at IS NOT NULL)
      """,
      """
      INSERT OR IGNORE INTO main.alert (account, id, kind, message, raised_at)
      SELECT account.key, old.id, old.kind, old.message, old.raised_at
      FROM replaced.alert AS old \(sameAccount)
      WHERE old.resolved_at IS NULL AND old.kind IN ('manual', 'duress')
      """,
      // An outing that has started or ended since, and its alert (OUT-4).
      """
      UPDATE main.account SET
        outing = (SELECT past.outing FROM replaced.account AS past WHERE past.id = main.account.id),
        hidden_outing = (
          SELECT past.hidden_outing FROM replaced.account AS past WHERE past.id = main.account.id)
      WHERE id IN (SELECT id FROM replaced.account)
      """,
      """
      UPDATE main.alert SET resolved_at = (
        SELECT old.resolved_at FROM replaced.alert AS old WHERE old.id = main.alert.id)
      WHERE resolved_at IS NULL AND kind = 'outing'
        AND id IN (SELECT id FROM replaced.alert WHERE resolved_at IS NOT NULL)
      """,
      """
      INSERT OR IGNORE INTO main.alert (account, id, kind, message, raised_at, due_back)
      SELECT account.key, old.id, old.kind, old.message, old.raised_at, old.due_back
      FROM replaced.alert AS old \(sameAccount)
      WHERE old.resolved_at IS NULL AND old.kind = 'outing'
      """,
      """
      INSERT OR IGNORE INTO main.kept_channel (
        account, responder, name, id, kind, address, secret)
      SELECT account.key, old.responder, old.name, old.id, old.kind, old.address, old.secret
      FROM replaced.kept_channel AS old \(sameAccount)
      """,
      """
      INSERT OR IGNORE INTO main.delivery (
        account, id, alert, stage, recipient, recipient_name, channel, address, in_reply_to,
        planned_at, state, not_before, attempts, finished_at, line, destination)
      SELECT alert.account, old.id, alert.key, old.stage, old.recipient, old.recipient_name,
        old.channel, old.address, old.in_reply_to, old.planned_at, old.state, old.not_before,
        old.attempts, old.finished_at, old.line, old.destination
      FROM replaced.delivery AS old \(sameAlert) WHERE old.state = 'sent'
      """,
      """
      INSERT OR IGNORE INTO main.acknowledgement (
        alert, responder, name, at, withdrawn_at, withdrawals)
      SELECT alert.key, old.responder, old.name, old.at, old.withdrawn_at, old.withdrawals
      FROM replaced.acknowledgement AS old \(sameAlert)
      """,
      """
      INSERT OR IGNORE INTO main.response_code (
        code, account, alert, responder, created_at, digest)
      SELECT old.code, alert.account, alert.key, old.responder, old.created_at, old.digest
      FROM replaced.response_code AS old \(sameAlert)
      """,
      "UPDATE main.account SET attention_at = 0",
    ]
    // An older store lacks a table, and of a damaged one some can't be read; the others are taken.
    for statement in statements { _ = try? run(statement) }
  }
}
