import Clients
import Domain
import FoundationEssentials

extension EmbeddedPlatform {
  var transferClient: TransferClient {
    TransferClient(
      exportAccount: { [store] () async throws(TransferError) in try await store.exportAccount() },
      importAccount: { [store] (export: AccountExport) async throws(TransferError) in
        try await store.importAccount(export)
      })
  }
}

extension TransferError: AccountFailure {
  static func invalid(_ error: ValidationError) -> Self { .invalid(error.errorDescription) }
}

extension SQLiteStore {
  func exportAccount() throws(TransferError) -> AccountExport {
    try read(TransferError.self) {
      let key = try requireCurrentKey()
      let alerts = try database.rows(
        """
        SELECT coalesce(resolved_at, concealed_at), \(Alert.columns), alert.key FROM alert
        WHERE account = ?1 AND kind <> 'duress' ORDER BY key
        """, key
      ) { row throws(StorageError) -> (Alert, Int) in
        let shownEnd: Date? = try row.read()
        var alert = try Alert(reading: &row)
        alert.resolvedAt = shownEnd
        return (alert, try row.read())
      }
      return AccountExport(
        user: try user(key), contacts: try contacts(of: key),
        checkIns: try database.rows(
          "SELECT \(CheckIn.columns) FROM check_in WHERE account = ?1 ORDER BY sequence", key,
          read: CheckIn.init(reading:)),
        alerts: try alerts.map { alert, key in
          var alert = alert
          alert.acknowledgements = try acknowledgements(of: key)
          return alert
        },
        notifications: try database.rows(
          """
          SELECT id, kind, at, is_read, subject, detail FROM notification
          WHERE account = ?1 ORDER BY key
          """, key
        ) { row throws(StorageError) in
          NotificationItem(
            id: try row.read(), kind: try row.read(), date: try row.read(),
            isRead: try row.read(), subject: try row.read(), detail: try row.read())
        },
        documents: try database.rows(
          "SELECT collection, id, json FROM document WHERE account = ?1 ORDER BY collection, id",
          key
        ) { row throws(StorageError) in
          AccountExport.StoredDocument(
            collection: try row.read(), id: try row.read(), json: try row.read())
        }, files: try documents(of: key))
    }
  }

  func importAccount(_ export: AccountExport) throws(TransferError) -> ImportReport {
    let export = try export.checked()
    return try write(TransferError.self) {
      var report = ImportReport()
      let isFresh =
        try database.value(Int.self, "SELECT 1 FROM account WHERE deleted_at IS NULL LIMIT 1")
        == nil
      if isFresh {
        report.opened = true
        try insertAccount(export.user)
      }
      let key = try requireCurrentKey()
      for contact in export.contacts { report.contacts += try insertMissing(contact, of: key) }
      for document in export.documents {
        report.documents += try database.run(
          """
          INSERT INTO document (account, collection, id, version, json)
          VALUES (?1, ?2, ?3, 1, ?4) ON CONFLICT DO NOTHING
          """, key, document.collection, document.id, document.json)
      }
      if try user(key).id == export.user.id { try insertHistory(of: export, key, &report) }
      try touch(key)
      return report
    }
  }

  private func insertAccount(_ user: User) throws {
    let key = try database.value(
      Int.self,
      """
      INSERT INTO account (
        id, is_local, name, phone, note, email, interval, grace, reminders, check_in_sequence,
        last_check_in, created_at, code, paused_at, paused_until)
      VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) RETURNING key
      """, user.id, user.profile.name, user.profile.phone, user.profile.note, user.profile.email,
      user.interval, user.grace, user.reminders.json, user.checkInSequence, user.lastCheckIn,
      user.createdAt, user.code, user.pausedAt, user.pausedUntil)!
    // What was typed before gives way to what is imported.
    try database.run("DELETE FROM document WHERE account IN (0, ?1)", key)
  }

  private func insertMissing(_ contact: Contact, of key: Int) throws(StorageError) -> Int {
    guard try self.contact(of: key, withEmail: contact.email) == nil else { return 0 }
    let added = try database.run(
      """
      INSERT INTO contact (account, id, name, phone, note, roles, added_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING
      """, key, contact.id, contact.name, contact.phone, contact.note, contact.roles.rawValue,
      contact.addedAt)
    guard added == 1 else { return 0 }
    for channel in contact.channels {
      try database.run(
        """
        INSERT INTO channel (account, contact, id, kind, address)
        SELECT ?1, key, ?3, ?4, ?5 FROM contact WHERE account = ?1 AND id = ?2
        """, key, contact.id, channel.id, channel.kind, channel.address)
    }
    return 1
  }

  private func insertHistory(
    of export: AccountExport, _ key: Int, _ report: inout ImportReport
  ) throws {
    let last = try user(key).checkInSequence
    for checkIn in export.checkIns where checkIn.sequence <= last {
      report.checkIns += try database.run(
        """
        INSERT INTO check_in (account, sequence, id, at, source, margin)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6
        WHERE NOT EXISTS (SELECT 1 FROM check_in WHERE account = ?1 AND id = ?3)
        ON CONFLICT DO NOTHING
        """, key, checkIn.sequence, checkIn.id, checkIn.date, checkIn.source, checkIn.margin)
    }
    for alert in export.alerts {
      let added = try database.run(
        """
        INSERT INTO alert (account, id, kind, message, raised_at, sequence, resolved_at, settled)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 IS NOT NULL) ON CONFLICT DO NOTHING
        """, key, alert.id, alert.kind, alert.message, alert.raisedAt, alert.sequence,
        alert.resolvedAt)
      report.alerts += added
      guard added == 1 else { continue }
      for word in alert.acknowledgements {
        try database.run(
          """
          INSERT INTO acknowledgement (alert, responder, name, at)
          SELECT key, ?2, ?3, ?4 FROM alert WHERE id = ?1 ON CONFLICT DO NOTHING
          """, alert.id, word.responder, word.name, word.date)
      }
    }
    for item in export.notifications {
      report.notifications += try database.run(
        """
        INSERT INTO notification (account, id, kind, at, is_read, subject, detail)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING
        """, key, item.id, item.kind, item.date, item.isRead, item.subject, item.detail)
    }
  }
}
