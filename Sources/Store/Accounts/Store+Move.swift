import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Moving an account to a server. The server receives the whole account, but doesn't watch it
/// before the old store refuses check-ins; the old store watches it until the server does. So the
/// deadline is watched at every moment, and always by the last check-in.
extension Store {
  // MARK: The old store

  func prepareMove() throws(ClientError) -> AccountMove {
    try read { key in
      let move = try move(of: key)
      if move.movedTo == nil { try requireMovable(key) }
      return move
    }
  }

  func completeMove(_ move: AccountMove, to server: String) throws(ClientError) -> Bool {
    try write { key in
      let current = try self.move(of: key)
      if let before = current.movedTo {
        guard before == server else {
          throw ClientError.cannotMove(.movedBefore(to: before))
        }
        return true
      }
      try requireMovable(key)
      guard current == move else { return false }
      try database.run("UPDATE account SET moved_to = ?2 WHERE key = ?1", key, server)
      try touch(key)
      return true
    }
  }

  func stopWatching() throws(ClientError) {
    try write { key in
      try database.run(
        "UPDATE account SET watched_elsewhere = 1 WHERE key = ?1 AND moved_to IS NOT NULL", key)
      try touch(key)
    }
  }

  func movedTo() throws(ClientError) -> String? {
    try read {
      let accounts = try database.column(
        String?.self,
        "SELECT iif(watched_elsewhere = 1, moved_to, NULL) FROM account WHERE deleted_at IS NULL")
      return accounts.contains(nil) ? nil : accounts.first ?? nil
    }
  }

  func reclaim(_ source: CheckIn.Source) throws(ClientError) -> User {
    try write {
      let moved = try database.rowsChanged(
        by: "UPDATE account SET moved_to = NULL WHERE key = ?1 AND moved_to IS NOT NULL",
        requireCurrentKey())
      guard moved == 1 else { throw NoAccount() }
      return try moveDeadline(of: nil, source)
    }
  }

  /// Throws why an account that has moved takes no check-in here. Must be called within a
  /// transaction.
  func refuseMoved(_ key: Int) throws -> Never {
    let (server, isWatchedThere) =
      try database.row(
        "SELECT moved_to, watched_elsewhere = 1 FROM account WHERE key = ?1", key
      ) { row throws(StorageError) in (try row.read(String?.self), try row.read(Bool.self)) }
      ?? (nil, true)
    // The move stopped half-way, so the account is still watched here.
    throw isWatchedThere
      ? ClientError.accountMoved(to: server ?? "") : .cannotMove(.movedBefore(to: server ?? ""))
  }

  private func move(of key: Int) throws -> AccountMove {
    let secrets = try database.rows(
      "SELECT id, secret FROM channel WHERE account = ?1 AND secret IS NOT NULL", key
    ) { row throws(StorageError) -> (Channel.ID, Secret<String>) in
      (try row.read(), Secret(try row.read()))
    }
    var move = try database.row(
      """
      SELECT gate, duress, seeming_gate, takes_links, picture, moved_to FROM account
      WHERE key = ?1
      """, key
    ) { row throws(StorageError) -> (AccountMove.GateHashes, Bool, UUID?, String?) in
      let hashes = AccountMove.GateHashes(
        gate: try row.read(String?.self).map(Secret.init),
        duress: try row.read(String?.self).map(Secret.init),
        seeming: try row.read(String?.self).map(Secret.init))
      return (hashes, try row.read(), try row.read(), try row.read())
    }.map { hashes, takesLinks, picture, movedTo in
      AccountMove(
        export: try export(of: key), secrets: Dictionary(uniqueKeysWithValues: secrets),
        gate: hashes, takesLinks: takesLinks, picture: picture, movedTo: movedTo)
    }
    move?.standby = try standby(of: key)
    guard let move else { throw NoAccount() }
    return move
  }

  /// Throws if something is on that can't be carried from one store to another and must end first.
  /// A silent alert isn't counted, so that nobody notices it; this store goes on with it after the
  /// move.
  private func requireMovable(_ key: Int) throws {
    let isArmed = try unstoppedAlert(of: key) != nil
    if try isArmed || isAlertShown(of: key) { throw ClientError.cannotMove(.alert) }
    if try activeDrill(of: key) != nil { throw ClientError.cannotMove(.drill) }
    let linked = try linkedContacts(of: key).byName.map(\.name)
    guard linked.isEmpty else { throw ClientError.cannotMove(.linkedContacts(linked)) }
    let others = try database.value(
      Int.self, "SELECT 1 FROM account WHERE key <> ?1 AND deleted_at IS NULL LIMIT 1", key)
    guard others == nil else { throw ClientError.cannotMove(.otherAccounts) }
    let (user, now) = (try user(key), now())
    guard now < user.deadline.date else { throw ClientError.cannotMove(.deadline) }
    guard user.outing.map({ now < $0.until }) ?? true else { throw ClientError.cannotMove(.outing) }
  }

  // MARK: The server

  /// Makes room for an account that arrives. It is watched elsewhere until ``arrive()``.
  func beginReceiving(_ move: AccountMove) throws(ClientError) {
    try write(isNoted: false) { key in
      guard try isArriving(key) || isNew(key) else { throw ClientError.cannotMove(.notEmpty) }
      let user = move.export.user
      let isTaken = try database.value(
        Int.self, "SELECT 1 FROM account WHERE key <> ?1 AND (id = ?2 OR code = ?3) LIMIT 1", key,
        user.id, user.code)
      guard isTaken == nil else { throw ClientError.cannotMove(.takenOver) }
      try requireRoom(for: move.export)
      // What moves keeps its identifiers, by which the old store's messages are known, so none may
      // refer to a contact by a link, or to an invitation that becomes one.
      for id in [user.id] + move.export.contacts.map(\.id) {
        let isTaken = try database.value(
          Int.self,
          """
          SELECT 1 FROM relation WHERE id = ?1 UNION ALL SELECT 1 FROM invite WHERE id = ?1 LIMIT 1
          """, id)
        guard isTaken == nil else { throw ClientError.cannotMove(.invalid) }
      }
      for table in Self.movedTables {
        try database.run("DELETE FROM \(table) WHERE account = ?1", key)
      }
      // The address that signs in here stays.
      try database.run(
        """
        UPDATE account SET id = ?2, name = ?3, phone = ?4, note = ?5, interval = ?6, grace = ?7,
          repeat_every = ?8, reminders = ?9, check_in_sequence = ?10, last_check_in = ?11,
          created_at = ?12, code = ?13, paused_at = ?14, paused_until = ?15, takes_links = ?16,
          home_address = nullif(?17, ''), way_in = nullif(?18, ''), watched_elsewhere = 1
        WHERE key = ?1
        """, key, user.id, user.profile.name, user.profile.phone, user.profile.note, user.interval,
        user.grace, user.repeatInterval, user.reminders.json, user.checkInSequence,
        user.lastCheckIn, user.createdAt, user.code, user.pausedAt, user.pausedUntil,
        move.takesLinks, user.profile.address, user.profile.access)
      try store(user.schedule, of: key)
      // What was chosen by links names people of the other store.
      try setOuting(user.outing, of: key)
      try touch(key)
    }
  }

  /// Inserts a part of an account that arrives.
  func receive(_ part: AccountExport) throws(ClientError) {
    try write(isNoted: false) { key in
      guard try isArriving(key) else { throw ClientError.cannotMove(.notEmpty) }
      for contact in part.contacts {
        // The contacts aren't notified that they were added: the old store did that.
        guard try insertMissing(contact, of: key, isTold: false) == 1 else {
          throw ClientError.cannotMove(.invalid)
        }
      }
      for channel in part.channels {
        guard try insertMissing(channel, of: key) else { throw ClientError.cannotMove(.invalid) }
        try store(part.mutedTopics[channel.id], mutedOn: channel.id, of: key)
      }
      for document in part.documents {
        try database.run(
          "INSERT INTO document (account, collection, id, version, json) VALUES (?1, ?2, ?3, 1, ?4)",
          key, document.collection, document.id, document.json)
      }
      var report = ImportReport()
      try insertHistory(of: part, key, &report)
    }
  }

  /// Ends what ``beginReceiving(_:)`` began.
  func endReceiving(_ move: AccountMove) throws(ClientError) {
    try write { key in
      guard try isArriving(key) else { throw ClientError.cannotMove(.notEmpty) }
      let export = move.export
      // A part that was there already, or that another such request removed, is missing.
      let counts = [
        "contact": export.contacts.count,
        "channel": export.channels.count + export.contacts.reduce(0) { $0 + $1.channels.count },
        "check_in": export.checkIns.count, "alert": export.alerts.count,
        "notification": export.notifications.count, "document": export.documents.count,
      ]
      for table in Self.movedTables {
        let count = try database.value(
          Int.self, "SELECT count(*) FROM \(table) WHERE account = ?1", key)
        guard let count, count >= counts[table, default: 0] else {
          throw ClientError.cannotMove(.invalid)
        }
      }
      try store(export.mutedTopics[export.user.id], mutedOn: export.user.id, of: key)
      for (channel, secret) in move.secrets {
        try database.run(
          "UPDATE channel SET secret = ?3 WHERE account = ?1 AND id = ?2", key, channel,
          secret.value)
      }
      try database.run(
        """
        INSERT INTO standby (account, heartbeat, topic) VALUES (?1, ?2, ?3)
        ON CONFLICT (account) DO UPDATE SET heartbeat = ?2, topic = ?3
        """, key, move.standby.heartbeat, move.standby.topic)
      // In this order, neither of the two is ever set without the gate.
      try database.run(
        "UPDATE account SET duress = NULL, seeming_gate = NULL, gate = ?2 WHERE key = ?1", key,
        move.gate.gate?.value)
      try database.run(
        "UPDATE account SET duress = ?2, seeming_gate = ?3 WHERE key = ?1", key,
        move.gate.duress?.value, move.gate.seeming?.value)
      try touch(key)
    }
  }

  private static let movedTables = [
    "channel", "contact", "check_in", "alert", "notification", "document",
  ]

  func arrive() throws(ClientError) -> Bool {
    try write { key in
      let hasArrived = try database.rowsChanged(
        by: """
          UPDATE account SET watched_elsewhere = 0
          WHERE key = ?1 AND watched_elsewhere = 1 AND moved_to IS NULL
          """, key)
      if hasArrived > 0 {
        try touch(key)
        return false
      }
      return try database.value(
        Int.self,
        """
        SELECT 1 FROM account WHERE key = ?1 AND moved_to IS NULL AND attention_at > 0
          AND fault IS NULL AND NOT EXISTS (SELECT 1 FROM attention WHERE account = ?1)
        """, key) != nil
    }
  }

  private func isArriving(_ key: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      "SELECT 1 FROM account WHERE key = ?1 AND watched_elsewhere = 1 AND moved_to IS NULL", key)
      != nil
  }

  /// Returns whether an account contains only what signing up created, such as the relation with
  /// the member who invited its person.
  private func isNew(_ key: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      """
      SELECT 1 FROM account WHERE key = ?1 AND gate IS NULL AND check_in_sequence = 0
        AND NOT EXISTS (SELECT 1 FROM contact WHERE account = ?1)
        AND NOT EXISTS (SELECT 1 FROM channel WHERE account = ?1)
        AND NOT EXISTS (SELECT 1 FROM relation WHERE requester = ?1
          OR addressee = ?1 AND relation.created_at <> account.created_at)
        AND NOT EXISTS (SELECT 1 FROM alert WHERE account = ?1)
        AND NOT EXISTS (SELECT 1 FROM armed_alert WHERE account = ?1)
        AND NOT EXISTS (SELECT 1 FROM file WHERE account = ?1)
      """, key) != nil
  }
}

extension StoreClients {
  /// Receives an account a part at a time, so that nobody waits for the whole. What was interrupted
  /// begins again when it is repeated.
  func receiveMove(_ move: AccountMove) async throws(ClientError) {
    let move = try move.checked(at: store.now().stored)
    try await store.beginReceiving(move)
    for part in move.export.steps { try await store.receive(part) }
    try await store.endReceiving(move)
  }
}

extension AccountMove {
  /// Returns the validated move: its sender may have made it up.
  fileprivate func checked(at now: Date) throws(ClientError) -> AccountMove {
    var move = self
    move.export = try export.checked(at: now)
    let isQuiet = export.alerts.allSatisfy { !$0.isActive }
    guard isQuiet else { throw .cannotMove(.alert) }
    let hashes = [gate.gate, gate.duress, gate.seeming].compactMap { $0?.value }
    let hasGate = gate.gate != nil || gate.duress == nil && gate.seeming == nil
    guard hasGate, hashes.allSatisfy({ $0.isEmpty || PasswordHashing.isAffordable($0) }),
      gate.gate?.value != "", gate.duress?.value != "",
      secrets.values.allSatisfy({ (1...10_000).contains($0.value.utf8.count) })
    else { throw .cannotMove(.invalid) }
    do throws(ValidationError) {
      move.standby = try Standby(
        validating: standby.heartbeat ?? "", topic: standby.topic ?? "")
    } catch { throw .invalid(error) }
    return move
  }
}
