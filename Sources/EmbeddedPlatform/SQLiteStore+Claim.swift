import Clients
import Domain
import FoundationEssentials

/// Handing messages out to monitors.
extension SQLiteStore {
  // MARK: Choosing

  /// Calls before all else, what was never tried before what was; then the oldest of each account,
  /// then its second. The walk over what is due ends with the last message that is taken, so that a
  /// destination that stands still costs no more than being stepped over.
  func claim(
    at now: Date, lease: TimeSpan, _ request: ClaimRequest
  ) throws(StorageError) -> [ClaimedDelivery] {
    guard request.limit > 0, !request.kinds.isEmpty else { return [] }
    return try write(StorageError.self) {
      var claimed: [ClaimedDelivery] = []
      for (key, account) in try chooseDue(at: now, request) {
        do {
          claimed.append(try claim(key, until: now + lease))
        } catch StorageError.serialization(let reason) {
          // Out of the way of the others, and reported (ESC-6).
          try database.run(
            "UPDATE delivery SET not_before = ?2, last_error = ?3 WHERE key = ?1",
            key, now + .hours(1), reason)
          try database.run("UPDATE account SET fault = ?2 WHERE key = ?1", account, reason)
        }
        try database.run("UPDATE account SET revision = revision + 1 WHERE key = ?1", account)
      }
      return claimed
    }
  }

  private func chooseDue(
    at now: Date, _ request: ClaimRequest
  ) throws(StorageError) -> [(key: Int, account: Int)] {
    var request = request
    var chosen: [(Int, Int)] = []
    try database.visit(
      """
      SELECT key, account, channel, address, is_retry FROM (
        SELECT delivery.key, delivery.account, channel, address, not_before, is_call, is_retry,
          row_number() OVER (
            PARTITION BY delivery.account, is_call, is_retry ORDER BY not_before, delivery.key
          ) AS turn
        FROM (
          SELECT key, account, channel, address, not_before, attempts > 0 AS is_retry,
            stage IN ('alert_on', 'non_responsive') OR stage GLOB '*_again:*' AS is_call
          FROM delivery INDEXED BY delivery_pending
          WHERE state = 'pending' AND not_before <= ?1
        ) AS delivery JOIN account ON account.key = delivery.account
        WHERE account.attention_at > ?1)
      ORDER BY is_call DESC, is_retry, turn, not_before, key
      """, now
    ) { row throws(StorageError) in
      let key: Int = try row.read()
      let account: Int = try row.read()
      let kind: String = try row.read()
      let address: String = try row.read()
      let isRetry: Bool = try row.read()
      // One of a kind that nobody knows is taken, so that it is reported.
      guard let kind = Channel.Kind(rawValue: kind) else {
        chosen.append((key, account))
        return true
      }
      if request.take(kind, address: address, isRetry: isRetry) { chosen.append((key, account)) }
      return request.limit > 0
    }
    return chosen
  }

  // MARK: Taking

  private func claim(_ key: Int, until end: Date) throws -> ClaimedDelivery {
    let token = makeUUID()
    // Read before it is changed, so that a row that cannot be read stays as it is.
    let delivery = try database.row(
      """
      SELECT delivery.id, delivery.attempts + 1, delivery.stage, delivery.recipient,
        delivery.recipient_name, delivery.channel, delivery.address, delivery.in_reply_to,
        delivery.detail, delivery.planned_at, delivery.alert,
        EXISTS (SELECT 1 FROM contact WHERE contact.account = account.key AND contact.roles & 1)
        OR EXISTS (
          SELECT 1 FROM relation WHERE relation.state = 'active'
            AND (requester = account.key AND relation.roles & 1
              OR addressee = account.key AND relation.roles & 2)),
        \(User.columns)
      FROM delivery JOIN account ON account.key = delivery.account WHERE delivery.key = ?1
      """, key
    ) { row throws(StorageError) -> (ClaimedDelivery, alert: Int?) in
      let id: UUID = try row.read()
      let attempt: Int = try row.read()
      let stage: Stage = try row.read()
      let recipient: Recipient = try row.read()
      let name: String = try row.read()
      let channel: Channel.Kind = try row.read()
      let address: String = try row.read()
      let inReplyTo: MessageID? = try row.read()
      let detail: String = try row.read()
      let plannedAt: Date = try row.read()
      let alert: Int? = try row.read()
      let responders: Int = try row.read()
      return (
        ClaimedDelivery(
          id: id, token: token, attempt: attempt, stage: stage, recipient: recipient,
          recipientName: name, channel: channel, address: address, inReplyTo: inReplyTo,
          detail: detail, plannedAt: plannedAt, user: try User(reading: &row),
          hasResponders: responders > 0),
        alert
      )
    }
    guard case (var claimed, let alert)? = delivery else { throw NoAccount() }
    if let alert {
      claimed.alert = try database.row(
        "SELECT \(Alert.columns) FROM alert WHERE key = ?1", alert, read: Alert.init(reading:))
    }
    claimed.code = try responseCode(for: claimed, alert: alert)
    try database.run(
      """
      UPDATE delivery SET token = ?2, leased_until = ?3, not_before = ?3, attempts = attempts + 1,
        doubtful = max(doubtful, 1 - recorded), recorded = 0
      WHERE key = ?1
      """, key, token, end)
    return claimed
  }
}
