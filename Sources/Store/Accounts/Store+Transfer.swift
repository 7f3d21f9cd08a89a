import Clients
import Cryptography
import Domain
import FoundationEssentials

extension StoreClients {
  /// Imports a part at a time on a server, so that nobody waits for the whole. An import that was
  /// interrupted goes on when it is repeated.
  private func importInSteps(
    _ export: AccountExport
  ) async throws(ClientError) -> ImportReport {
    // Checking takes long, and needs no store.
    let export = try export.checked(at: store.now().stored)
    guard session.isRemote else { return try await store.importAccount(export) }
    var report = ImportReport()
    for step in export.steps {
      report += try await store.importAccount(step, isNoted: false)
    }
    // The rest marks the request as done.
    report += try await store.importAccount(export.withoutContents)
    return report
  }

  var transferClient: TransferClient {
    TransferClient {
      $0.exportAccount = { () async throws(ClientError) in try await store.exportAccount() }
      $0.importAccount = { export async throws(ClientError) in
        // A store without an account has nothing to weaken.
        do throws(ClientError) {
          try await pass(.importAccount)
        } catch .notAuthenticated {}
        return try await importInSteps(export)
      }
      $0.prepareMove = { () async throws(ClientError) in
        try await pass(.moveAccount)
        return try await store.prepareMove()
      }
      $0.completeMove = { move, server async throws(ClientError) in
        try await store.completeMove(move, to: server)
      }
      $0.stopWatching = { () async throws(ClientError) in try await store.stopWatching() }
      $0.movedTo = { () async throws(ClientError) in try await store.movedTo() }
      $0.reclaim = { source async throws(ClientError) in
        try await pass(.checkIn)
        return try await store.reclaim(source)
      }
      $0.receiveMove = { move async throws(ClientError) in try await receiveMove(move) }
      $0.arrive = { () async throws(ClientError) in try await store.arrive() }
    }
  }
}

extension Store {
  func exportAccount() throws(ClientError) -> AccountExport {
    try read { try export(of: requireCurrentKey()) }
  }

  /// Returns the export of an account. Must be called within a transaction.
  func export(of key: Int) throws -> AccountExport {
    let alerts = try database.rows(
      """
      SELECT \(Alert.columns), alert.key FROM alert
      WHERE account = ?1 AND kind <> 'duress' ORDER BY key
      """, key
    ) { row throws(StorageError) -> (Alert, Int) in
      (try Alert(reading: &row), try row.read())
    }
    return AccountExport(
      user: try user(key), channels: try ownChannels(of: key),
      mutedTopics: try mutedTopics(of: key), contacts: try contacts(of: key).byName,
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

  /// - Parameters:
  ///   - export: A checked export.
  ///   - isNoted: Whether this is the write that the request is for.
  func importAccount(
    _ export: AccountExport, isNoted: Bool = true
  ) throws(ClientError) -> ImportReport {
    try write(isNoted: isNoted) {
      var report = ImportReport()
      var addedChannels = 0
      let isFresh =
        try database.value(Int.self, "SELECT 1 FROM account WHERE deleted_at IS NULL LIMIT 1")
        == nil
      if isFresh {
        report.opened = true
        try insertAccount(export.user)
      }
      let key = try requireCurrentKey()
      let export = isFresh ? export : try renamed(export, of: key)
      for contact in export.contacts {
        try requireRoom(.channels, for: contact.channels.count, of: key)
        // The contacts of a store that is set up again from an export were notified by the old one.
        report.contacts += try insertMissing(contact, of: key, isTold: !isFresh)
      }
      for channel in export.channels {
        let isNew = try insertMissing(channel, of: key)
        addedChannels += isNew ? 1 : 0
        if isNew { try store(export.mutedTopics[channel.id], mutedOn: channel.id, of: key) }
      }
      if isFresh { try store(export.mutedTopics[export.user.id], mutedOn: export.user.id, of: key) }
      for document in export.documents {
        report.documents += try database.rowsChanged(
          by: """
            INSERT INTO document (account, collection, id, version, json)
            VALUES (?1, ?2, ?3, 1, ?4) ON CONFLICT DO NOTHING
            """, key, document.collection, document.id, document.json)
      }
      // What is there already takes no room.
      if report.contacts > 0 { try requireRoom(.contacts, for: 0, of: key) }
      if addedChannels > 0 { try requireRoom(.ownChannels, for: 0, of: key) }
      if report.documents > 0 {
        try requireRoom(.documents, for: 0, of: key)
        try requireRoom(.documentBytes, for: 0, of: key)
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
        id, is_local, name, phone, note, email, interval, grace, repeat_every, reminders,
        check_in_sequence, last_check_in, created_at, code, paused_at, paused_until,
        sign_in_email, home_address, way_in)
      VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?5,
        nullif(?16, ''), nullif(?17, '')) RETURNING key
      """, user.id, user.profile.name, user.profile.phone, user.profile.note, user.profile.email,
      user.interval, user.grace, user.repeatInterval, user.reminders.json, user.checkInSequence,
      user.lastCheckIn, user.createdAt, user.code, user.pausedAt, user.pausedUntil,
      user.profile.address,
      user.profile.access)!
    try store(user.schedule, of: key)
    // Documents written before there was an account give way to the imported ones.
    try database.run("DELETE FROM document WHERE account IN (0, ?1)", key)
  }

  /// Returns an export whose contacts and channels have identifiers of their own, unless the account
  /// has them already. What stands in a file never refers to somebody else's row, nor to messages
  /// that went to a removed contact.
  private func renamed(_ export: AccountExport, of key: Int) throws -> AccountExport {
    var export = export
    let user = try user(key).id
    func identity(of row: UUID, in table: String) throws -> UUID {
      let isOwn = try database.value(
        Int.self, "SELECT 1 FROM \(table) WHERE account = ?1 AND id = ?2", key, row)
      return isOwn != nil ? row : UUID(ofImported: row, into: user)
    }
    for index in export.contacts.indices {
      let contact = export.contacts[index]
      export.contacts[index].id = try identity(of: contact.id, in: "contact")
      for place in contact.channels.indices {
        export.contacts[index].channels[place].id = try identity(
          of: contact.channels[place].id, in: "channel")
      }
    }
    for index in export.channels.indices {
      let channel = export.channels[index].id
      export.channels[index].id = try identity(of: channel, in: "channel")
      export.mutedTopics[export.channels[index].id] = export.mutedTopics[channel]
    }
    return export
  }

  /// Inserts a contact, unless there is one with the same addresses. Its webhooks get new secrets,
  /// because an export contains none.
  /// - Returns: How many contacts were inserted.
  func insertMissing(_ contact: Contact, of key: Int, isTold: Bool) throws -> Int {
    let drafts = contact.channels.map { ChannelDraft($0.kind, $0.address) }
    guard try self.contact(of: key, reachedBy: drafts) == nil else { return 0 }
    let added = try database.rowsChanged(
      by: """
        INSERT INTO contact (account, id, name, phone, note, roles, added_at, declined_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING
        """, key, contact.id, contact.name, contact.phone, contact.note, contact.roles.rawValue,
      contact.addedAt, contact.declinedAt)
    guard added == 1 else { return 0 }
    for channel in contact.channels { try insert(channel, contact: contact.id, account: key) }
    try store(contact.wait, of: contact.id, account: key)
    if contact.hearsCheckIns == true { try store(true, newsTo: contact.id, account: key) }
    if isTold {
      try welcome(
        self.contact(contact.id, of: key), before: nil, account: key, isImported: true)
    }
    return 1
  }

  func insertMissing(_ channel: Channel, of key: Int) throws(StorageError) -> Bool {
    let isKnown =
      try database.value(
        Int.self,
        """
        SELECT 1 FROM channel
        WHERE id = ?2 OR account = ?1 AND contact IS NULL AND kind = ?3 AND address = ?4
        """, key, channel.id, channel.kind, channel.address) != nil
    if !isKnown { try insert(channel, contact: nil, account: key) }
    return !isKnown
  }

  func insertHistory(
    of export: AccountExport, _ key: Int, _ report: inout ImportReport
  ) throws {
    // Early check-ins have numbers beyond the account's sequence.
    let user = try user(key)
    let last = max(
      user.checkInSequence, user.schedule == nil ? 0 : export.checkIns.last?.sequence ?? 0)
    for checkIn in export.checkIns where checkIn.sequence <= last {
      report.checkIns += try database.rowsChanged(
        by: """
          INSERT INTO check_in (account, sequence, id, at, source, margin, received_at, is_early)
          SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
          WHERE NOT EXISTS (SELECT 1 FROM check_in WHERE account = ?1 AND id = ?3)
          ON CONFLICT DO NOTHING
          """, key, checkIn.sequence, checkIn.id, checkIn.date, checkIn.source, checkIn.margin,
        checkIn.receivedAt, checkIn.isEarly)
    }
    for alert in export.alerts {
      let added = try database.rowsChanged(
        by: """
          INSERT INTO alert (
            account, id, kind, message, raised_at, sequence, noticed_late_by, resolved_at, settled,
            due_back)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, iif(?8 IS NULL, 0, 1), ?9)
          ON CONFLICT DO NOTHING
          """, key, alert.id, alert.kind, alert.message, alert.raisedAt, alert.sequence,
        alert.noticedLateBy, alert.resolvedAt, alert.dueBack)
      report.alerts += added
      guard added == 1 else { continue }
      for acknowledgement in alert.acknowledgements {
        try database.run(
          """
          INSERT INTO acknowledgement (alert, responder, name, at)
          SELECT key, ?2, ?3, ?4 FROM alert WHERE id = ?1 ON CONFLICT DO NOTHING
          """, alert.id, acknowledgement.responder, acknowledgement.name, acknowledgement.date)
      }
    }
    for item in export.notifications {
      report.notifications += try database.rowsChanged(
        by: """
          INSERT INTO notification (account, id, kind, at, is_read, subject, detail)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING
          """, key, item.id, item.kind, item.date, item.isRead, item.subject, item.detail)
    }
  }
}
