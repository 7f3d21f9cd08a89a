import Clients
import Domain
import FoundationEssentials

/// Reading a store that can't be written, and catching up when it can.
extension Store {
  func waiting(at now: Date, offset: Int, limit: Int) throws(StorageError) -> WaitingPage {
    try look {
      let keys = try database.column(
        Int.self,
        """
        SELECT key FROM account WHERE attention_at <= ?1 OR key IN (
          SELECT account FROM delivery WHERE state = 'pending' AND not_before <= ?1
          UNION ALL SELECT account FROM attention)
        ORDER BY attention_at, last_check_in, key LIMIT ?2 OFFSET ?3
        """, now, limit, offset)
      var page = WaitingPage(accounts: [], next: keys.count < limit ? nil : offset + limit)
      for key in keys {
        do { page.accounts.append(try monitoredAccount(key)) } catch {
          // Reported as soon as the store can be written; the others are served (ESC-6).
          guard error is StorageError else { throw error }
          page.hasUnreadable = true
        }
      }
      return page
    }
  }

  func account(_ id: User.ID) throws(StorageError) -> MonitoredAccount? {
    try look {
      try database.value(Int.self, "SELECT key FROM account WHERE id = ?1", id)
        .map(monitoredAccount)
    }
  }

  func secrets(of id: User.ID) throws(StorageError) -> [ChannelSecret] {
    try look {
      try database.rows(
        """
        SELECT channel.kind, channel.address, channel.secret FROM account
          JOIN channel ON channel.account = account.key
          WHERE account.id = ?1 AND channel.secret IS NOT NULL
        UNION ALL SELECT kept.kind, kept.address, kept.secret FROM account
          JOIN kept_channel AS kept ON kept.account = account.key
          WHERE account.id = ?1 AND kept.secret IS NOT NULL
        UNION ALL SELECT channel.kind, channel.address, channel.secret FROM account
          JOIN relation ON account.key IN (requester, addressee) AND relation.state = 'active'
          JOIN channel ON channel.account = iif(requester = account.key, addressee, requester)
          WHERE account.id = ?1 AND channel.contact IS NULL AND channel.secret IS NOT NULL
        """, id
      ) { row throws(StorageError) in
        ChannelSecret(
          place: .init(kind: try row.read(), address: try row.read()),
          secret: Secret(try row.read(String.self)))
      }
    }
  }

  func equip(_ message: ClaimedDelivery, at now: Date) throws(StorageError) -> ClaimedDelivery? {
    try look {
      guard
        let account = try database.value(
          Int.self, "SELECT key FROM account WHERE id = ?1", message.user.id)
      else { return nil }
      var message = message
      let stored = try database.row(
        """
        SELECT state, leased_until, recipient_name, in_reply_to, detail, planned_at FROM delivery
        WHERE id = ?1
        """, message.id
      ) { row throws(StorageError) -> Bool in
        let state: DeliveryState = try row.read()
        let leasedUntil: Date? = try row.read()
        message.recipientName = try row.read()
        message.inReplyTo = try row.read()
        message.detail = try row.read()
        message.plannedAt = try row.read()
        return state == .pending && leasedUntil.map { $0 <= now } ?? true
      }
      guard stored ?? true, try !isOver(message, account) else { return nil }
      message.secret = try secret(for: message, account: account)
      message.mayReachPrivate = try mayReachPrivate(message, of: account)
      if let alert = message.alert,
        let key = try database.value(Int.self, "SELECT key FROM alert WHERE id = ?1", alert.id)
      {
        message.code = try responseCode(for: message, alert: key)
      }
      return message
    }
  }

  /// Returns whether what a message calls for has ended since it was planned from memory.
  private func isOver(_ message: ClaimedDelivery, _ account: Int) throws(StorageError) -> Bool {
    guard message.stage.isCall else { return false }
    if let alert = message.alert,
      let isResolved = try database.value(
        Bool.self, "SELECT resolved_at IS NOT NULL FROM alert WHERE id = ?1", alert.id)
    {
      return isResolved
    }
    guard message.alert?.kind == .missed else { return false }
    let sequence = try database.value(
      Int.self, "SELECT check_in_sequence FROM account WHERE key = ?1", account)
    return sequence != message.user.checkInSequence
  }

  func adopt(_ memory: AccountMemory) throws(StorageError) {
    try write(StorageError.self) {
      let key = try database.value(
        Int.self, "SELECT key FROM account WHERE id = ?1", memory.account)
      guard let key else { return }
      let user = try user(key)
      for alert in memory.alerts {
        guard alert.kind.isMissedPromise else {
          try alert.kind == .duress
            ? raiseSilently(alert, account: key) : raise(alert, account: key)
          continue
        }
        guard try insertAlert(alert, account: key) else { continue }
        try notify(key, alert.kind == .outing ? .notBack : .nonResponsive)
        try database.run(
          "UPDATE alert SET resolved_at = ?2 WHERE id = ?1", alert.id,
          alert.resolved(byCheckInOf: user).resolvedAt)
      }
      if let grace = memory.grace, grace.sequence == user.checkInSequence, user.graceFrom == nil {
        try database.run(
          "UPDATE account SET grace_sequence = ?2, grace_from = ?3 WHERE key = ?1",
          key, grace.sequence, grace.from)
      }
      if let outing = memory.outing { try change(planned: outing, of: key) }
      for message in memory.messages { try adopt(message, account: key) }
      let isOfSilentAlert =
        memory.grace == nil && memory.outing == nil
        && memory.alerts.allSatisfy { $0.kind == .duress }
        && memory.messages.allSatisfy { message in
          guard case .alert(let id)? = message.planned?.occasion else { return false }
          return memory.alerts.contains { $0.id == id }
        }
      if isOfSilentAlert { try touchUnseen(key) } else { try touch(key) }
      try noteChange(forPeersOf: key)
    }
  }

  private func adopt(_ message: AccountMemory.Message, account: Int) throws(StorageError) {
    // The alert may have been over and settled while the message was under way; its recipient needs
    // the all-clear (CHK-6).
    var planned: Alert.ID?
    if case .alert(let id)? = message.planned?.occasion { planned = id }
    try database.run(
      """
      UPDATE alert SET settled = 0
      WHERE account = ?1 AND (id = ?2 OR key = (SELECT alert FROM delivery WHERE id = ?3))
      """, account, planned, message.id)
    if let planned = message.planned {
      try insert(planned, account: account, now: message.plannedAt)
    }
    guard let sentAt = message.sentAt else {
      try database.run(
        """
        UPDATE delivery SET doubtful = 1, attempts = attempts + ?3 WHERE id = ?1 AND account = ?2
        """, message.id, account, message.attempts)
      return
    }
    try database.run(
      """
      UPDATE delivery SET state = 'sent', finished_at = ?3, attempts = attempts + ?4,
        token = NULL, leased_until = NULL, recorded = 1, last_error = NULL, detail = ''
      WHERE id = ?1 AND account = ?2 AND state <> 'sent'
      """, message.id, account, sentAt, message.attempts)
  }

  /// Reads the store, over the present connection if no other can be opened: that would take room
  /// on the disk, and the file in its place. The present one still shows what was committed.
  func look<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
    do throws(StorageError) { return try read(StorageError.self, body) } catch {
      guard database.hasFailed || database.hasMoved else { throw error }
      do { return try database.transaction(.read, body) } catch { throw .wrapping(error) }
    }
  }
}

extension StoreClients {
  var fallbackClient: FallbackClient {
    FallbackClient {
      $0.waiting = { now, offset, limit async throws(StorageError) in
        try await store.waiting(at: now, offset: offset, limit: limit)
      }
      $0.account = { id async throws(StorageError) in try await store.account(id) }
      $0.present = { armed in await store.present(armed) }
      $0.secrets = { id async throws(StorageError) in try await store.secrets(of: id) }
      $0.equip = { message, now async throws(StorageError) in
        try await store.equip(message, at: now)
      }
      $0.adopt = { memory async throws(StorageError) in try await store.adopt(memory) }
    }
  }
}
