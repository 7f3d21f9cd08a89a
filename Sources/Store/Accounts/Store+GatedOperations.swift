import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Operations that postpone or weaken help (CHK-3).
extension Store {
  /// Returns whether an operation must pass the gate.
  func isNeeded(_ weakens: (isolated Store, Int) throws -> Bool) throws(ClientError) -> Bool {
    try read { try weakens(self, requireCurrentKey()) }
  }

  /// Returns until when an operation must wait after a password reset, or `nil`. The first request
  /// starts the wait, and the owner is sent a code that cancels it.
  func waitEnd(of operation: GatedOperation) throws(ClientError) -> Date? {
    let now = now()
    let reset = try read {
      try database.optionalValue(
        Date.self,
        """
        SELECT reset_at FROM account
        WHERE key = ?1 AND (gate IS NULL OR seeming_gate = '') AND reset_at > ?2
        """, requireCurrentKey(), now - ResetRules.caution)
    }
    guard let reset else { return nil }
    let end = try write(isNoted: false) { key in
      let asked = try database.value(
        Date.self,
        "SELECT asked_at FROM waiting_request WHERE account = ?1 AND operation = ?2", key,
        operation.rawValue
      )
      let end = ResetRules.end(ofRequestAt: asked ?? now, afterResetAt: reset)
      if asked == nil {
        let code = SecureToken().shortCode
        try database.run(
          """
          INSERT INTO waiting_request (account, operation, code, asked_at) VALUES (?1, ?2, ?3, ?4)
          """, key, operation.rawValue, SecureToken(text: code).digest, now)
        try noticeOwner(
          key, .requestWaits(makeUUID()), ResetRules.notice(of: operation, from: now, to: end),
          behind: ResetRules.undoAdvice(code))
      }
      return end
    }
    return end > now ? end : nil
  }

  /// Keeps the present responders for a silent alert.
  func keepResponders(of key: Int) throws(StorageError) {
    for responder in try responders(of: key) {
      for channel in responder.channels {
        try database.run(
          """
          INSERT INTO kept_channel (
            account, responder, name, id, kind, address, secret, may_be_private)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, (SELECT secret FROM channel WHERE channel.id = ?4),
            coalesce((SELECT may_be_private FROM channel WHERE channel.id = ?4), 0))
          ON CONFLICT DO NOTHING
          """, key, responder.id, responder.name, channel.id, channel.kind, channel.address)
      }
    }
  }

  /// Returns the responders that are kept for the silent alerts that are on, by account.
  func keptResponders(of list: String) throws(StorageError) -> [Int: [Contact]] {
    try database.grouped(
      """
      SELECT kept_channel.account, kept_channel.responder, kept_channel.name, kept_channel.id,
        kept_channel.kind, kept_channel.address
      FROM json_each(?1) AS listed CROSS JOIN kept_channel ON kept_channel.account = listed.value
      ORDER BY kept_channel.responder
      """, list
    ) { row throws(StorageError) in
      let (id, name): (Contact.ID, String) = (try row.read(), try row.read())
      return Contact(
        id: id, name: name, roles: .responder, channels: [try Channel(reading: &row)],
        addedAt: .distantPast)
    }
  }

  /// Forgets a kept responder who wants no more messages.
  func forgetKept(_ responder: Contact.ID, of account: Int) throws(StorageError) {
    try database.run(
      "DELETE FROM kept_channel WHERE account = ?1 AND responder = ?2", account, responder)
  }

  // MARK: Notices

  /// Notifies every responder of a change that concerns them, on screen and on their channels.
  func noticeResponders(of key: Int, _ detail: String) throws(StorageError) {
    try notifyResponders(of: key, .info, detail: detail)
    try insert(.responderNotice(makeUUID()), toRespondersOf: key, about: .account, detail)
  }

  /// Plans a message on every channel of every responder.
  func insert(
    _ stage: Stage, toRespondersOf key: Int, about occasion: Occasion, _ detail: String
  ) throws(StorageError) {
    try insert(stage, to: try responders(of: key), of: key, about: occasion, detail)
  }

  /// Plans a message on every channel of chosen responders.
  func insert(
    _ stage: Stage, to responders: [Contact], of key: Int, about occasion: Occasion,
    _ detail: String
  ) throws(StorageError) {
    for responder in responders {
      for channel in responder.channels {
        try insert(
          PlannedDelivery(
            occasion: occasion, stage: stage, recipient: .contact(responder.id),
            recipientName: responder.name, channel: channel.kind, address: channel.address,
            detail: detail), account: key, now: now())
      }
    }
  }

  /// Notifies the owner of a change to their account, on screen and on their own channels.
  /// - Parameter secret: Text that follows on the channels only, where nobody else reads it.
  func noticeOwner(
    _ key: Int, _ stage: Stage, _ detail: String, behind secret: String = ""
  ) throws {
    try notify(key, .info, detail: detail)
    let user = try user(key)
    let channels = user.ownChannels(besides: try ownChannels(of: key))
    // While a new address waits for its code, the one that still signs in gets the message as well.
    let old =
      user.locks.contains(.unconfirmedAddress)
      ? try database.optionalValue(
        String.self, "SELECT sign_in_email FROM account WHERE key = ?1", key) : nil
    for (kind, address) in channels.map({ ($0.kind, $0.address) })
      + (old.map { [(.email, $0)] } ?? [])
    {
      try insert(
        PlannedDelivery(
          occasion: .account, stage: stage, recipient: .owner, recipientName: user.profile.name,
          channel: kind, address: address, detail: detail + secret), account: key, now: now())
    }
    try touch(key)
  }
}
