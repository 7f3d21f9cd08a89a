import Clients
import Cryptography
import Domain
import FoundationEssentials

extension SQLiteStore {
  // MARK: Due

  /// Accounts that need attention, longest waiting first. One that cannot be read is put aside for
  /// an hour and reported, and the others are served (ESC-6).
  func due(at now: Date, limit: Int) throws(StorageError) -> [MonitoredAccount] {
    while true {
      let (accounts, faults) = try read(StorageError.self) {
        var accounts: [MonitoredAccount] = []
        var faults: [(key: Int, reason: String)] = []
        let keys = try database.rows(
          """
          SELECT key FROM account WHERE attention_at <= ?1
          ORDER BY attention_at, last_check_in LIMIT ?2
          """, now, max(0, limit)
        ) { row throws(StorageError) in try row.read(Int.self) }
        for key in keys {
          do {
            accounts.append(try monitoredAccount(key))
          } catch StorageError.serialization(let reason) {
            faults.append((key, reason))
          } catch StorageError.corrupt(let detail) {
            faults.append((key, detail))
          }
        }
        return (accounts, faults)
      }
      guard !faults.isEmpty else { return accounts }
      try write(StorageError.self, .other) {
        for fault in faults {
          try database.run(
            "UPDATE account SET fault = ?2, attention_at = ?3 WHERE key = ?1",
            fault.key, fault.reason, now + .hours(1))
        }
      }
      // Those who came after them are still to be served.
      if !accounts.isEmpty { return accounts }
    }
  }

  func monitoredAccount(_ key: Int) throws -> MonitoredAccount {
    let account = try database.row(
      "SELECT account.revision, \(User.columns) FROM account WHERE key = ?1", key
    ) { row throws(StorageError) -> (Int, User) in (try row.read(), try User(reading: &row)) }
    guard let (revision, user) = account else { throw NoAccount() }
    let unsettled = try database.rows(
      "SELECT alert.key, \(Alert.columns) FROM alert WHERE account = ?1 AND settled = 0 ORDER BY key",
      key
    ) { row throws(StorageError) -> (Int, Alert) in (try row.read(), try Alert(reading: &row)) }
    let alerts = try unsettled.map { key, alert in
      var alert = alert
      alert.acknowledgements = try acknowledgements(of: key)
      return alert
    }
    let concealed = try database.rows(
      "SELECT id FROM alert WHERE account = ?1 AND settled = 0 AND concealed_at IS NOT NULL", key
    ) { row throws(StorageError) in try row.read(Alert.ID.self) }
    let deliveries = try database.rows(
      """
      SELECT \(DeliveryRecord.columns) FROM delivery LEFT JOIN alert ON alert.key = delivery.alert
      WHERE delivery.key IN (
        SELECT key FROM delivery WHERE account = ?1 AND state = 'pending'
        UNION SELECT key FROM delivery
          WHERE account = ?1 AND alert IS NULL AND sequence IN (?2, -1)
        UNION SELECT delivery.key FROM alert JOIN delivery ON delivery.alert = alert.key
          WHERE alert.account = ?1 AND alert.settled = 0)
        AND NOT \(Stage.isWordToOne)
      ORDER BY delivery.key
      """, key, user.checkInSequence, read: DeliveryRecord.init(reading:))
    return MonitoredAccount(
      user: user, revision: revision,
      responders: try responders(of: key),
      alerts: alerts, deliveries: deliveries,
      noticed: try noticed(key, sequence: user.checkInSequence), concealed: Set(concealed),
      watchedSince: try watchedSince(), furtherChannels: try ownChannels(of: key))
  }

  /// Everybody who is told, by name; whoever declined is not among them (CON-3).
  private func responders(of key: Int) throws(StorageError) -> [Contact] {
    try (contacts(of: key, with: .responder).filter(\.isResponder) + linkedResponders(of: key))
      .byName.tellingEachPlaceOnce
  }

  // MARK: Apply

  func apply(
    _ plan: Plan, to account: User.ID, revision: Int, now: Date
  ) throws(StorageError) -> Bool {
    try write(StorageError.self) {
      let key = try database.value(
        Int.self, "SELECT key FROM account WHERE id = ?1 AND revision = ?2", account, revision)
      guard let key else { return false }
      if plan.erasesAccount {
        try database.run("DELETE FROM account WHERE key = ?1 AND deleted_at IS NOT NULL", key)
        return true
      }
      if let alert = plan.missedAlert, try insertAlert(alert, account: key) {
        try notify(key, .nonResponsive)
      }
      if let start = plan.graceFrom {
        try database.run(
          "UPDATE account SET grace_sequence = check_in_sequence, grace_from = ?2 WHERE key = ?1",
          key, start)
        try touchPeers(of: key)
      }
      for stage in plan.notices { try notify(key, stage: stage) }
      for id in plan.endedDrills { try endDrill(id, of: key, at: now) }
      for delivery in plan.deliveries { try insert(delivery, account: key, now: now) }
      for id in plan.cancelled {
        try database.run(
          """
          UPDATE delivery SET state = 'cancelled', finished_at = ?3
          WHERE id = ?1 AND account = ?2 AND state = 'pending'
          """, id, key, now)
      }
      for id in plan.settled {
        try database.run(
          """
          UPDATE alert SET settled = 1
          WHERE id = ?1 AND account = ?2 AND resolved_at IS NOT NULL
          """, id, key)
      }
      try database.run(
        """
        UPDATE account SET revision = revision + 1, attention_at = ?2, fault = NULL
        WHERE key = ?1
        """, key, plan.nextLook ?? .farFuture)
      return true
    }
  }

  /// Leaves a delivery that exists as it is, but for one that was cancelled: that is wanted again.
  func insert(
    _ planned: PlannedDelivery, account: Int, now: Date
  ) throws(StorageError) {
    var alert: Int?
    var sequence: Int?
    var id = makeUUID()
    switch planned.occasion {
    case .deadline(let number):
      sequence = number
      if let user = try database.row(
        "SELECT \(User.columns) FROM account WHERE key = ?1", account, read: User.init(reading:))
      {
        id = UUID(of: planned, aboutDeadlineOf: user)
      }
    case .account: sequence = -1
    case .alert(let alertID):
      alert = try database.value(
        Int.self, "SELECT key FROM alert WHERE id = ?1 AND account = ?2", alertID, account)
      // Raised by another monitor under another identity, which has its own deliveries.
      guard alert != nil else { return }
      id = UUID(of: planned, about: alertID)
    }
    let revived = try database.run(
      """
      UPDATE delivery SET state = 'pending', planned_at = ?8, not_before = ?8, finished_at = NULL
      WHERE account = ?1 AND alert IS ?2 AND sequence IS ?3 AND stage = ?4 AND recipient = ?5
        AND channel = ?6 AND address = ?7 AND state = 'cancelled'
      """, account, alert, sequence, planned.stage, planned.recipient, planned.channel,
      planned.address, now)
    guard revived == 0 else { return }
    try database.run(
      """
      INSERT INTO delivery (
        account, id, alert, sequence, stage, recipient, recipient_name, channel, address,
        in_reply_to, planned_at, not_before, detail)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12) ON CONFLICT DO NOTHING
      """, account, id, alert, sequence, planned.stage, planned.recipient,
      planned.recipientName, planned.channel, planned.address, planned.inReplyTo, now,
      planned.detail)
    if let alert, planned.stage.isCall, case .contact(let responder) = planned.recipient {
      try makeResponseCode(account, alert: alert, responder: responder, now: now)
    }
  }

  // MARK: Record

  /// For the body of a transaction.
  func record(_ record: PendingRecord) throws(StorageError) -> Bool {
    let (delivery, token, outcome) = (record.delivery, record.token, record.outcome)
    let (retryAt, now) = (record.retryAt, record.now)
    let found = try database.row(
      "SELECT key, account, state FROM delivery WHERE id = ?1 AND token = ?2", delivery, token
    ) { row throws(StorageError) -> (key: Int, account: Int, state: DeliveryState) in
      (try row.read(), try row.read(), try row.read())
    }
    guard let found else { return false }
    let end = RecordedEnd(outcome, retryAt: retryAt, state: found.state)
    try database.run(
      """
      UPDATE delivery SET token = NULL, leased_until = NULL, recorded = 1,
        doubtful = max(doubtful, ?2), state = ?3, last_error = ?4,
        not_before = coalesce(?5, not_before),
        finished_at = iif(?3 = state, finished_at, ?6),
        detail = iif(?3 = 'pending', detail, '')
      WHERE key = ?1
      """, found.key, end.isDoubtful, end.state, end.error, end.retryAt, now)
    if end.state == .failed, found.state != .failed { try notifyFailure(of: found.key) }
    try touch(found.account)
    return true
  }

  // MARK: Waiting

  /// When the first account needs attention, or the first delivery may be taken.
  func nextWake() throws(StorageError) -> Date? {
    let wake = try database.value(
      Date?.self,
      """
      SELECT min(at) FROM (
        SELECT min(attention_at) AS at FROM account
        UNION ALL SELECT min(not_before) FROM delivery WHERE state = 'pending')
      """)
    guard let wake, let date = wake, date < .farFuture else { return nil }
    return date
  }
}

/// What an outcome makes of a delivery.
private struct RecordedEnd {
  var state: DeliveryState
  var error: String?
  var isDoubtful = false
  var retryAt: Date?

  /// Without a time for another attempt it is given up. One that was cancelled while it was being
  /// sent stays so, unless it went out.
  init(_ outcome: DeliveryOutcome, retryAt: Date?, state: DeliveryState) {
    self.state = state
    switch outcome {
    case .sent: self.state = .sent
    case .permanent(let reason):
      self.state = .failed
      error = reason
    case .retry(let reason, _), .misconfigured(let reason), .ambiguous(let reason):
      error = reason
      if case .ambiguous = outcome { isDoubtful = true }
      guard state == .pending else { return }
      if retryAt == nil { self.state = .failed }
      self.retryAt = retryAt
    }
  }
}

extension DeliveryRecord {
  /// The columns that ``init(reading:)`` reads, in its order.
  fileprivate static let columns = """
    delivery.id, alert.id, delivery.sequence, delivery.stage, delivery.recipient,
    delivery.channel, delivery.address, delivery.state, delivery.attempts,
    delivery.recorded AND NOT delivery.doubtful, delivery.leased_until, delivery.finished_at
    """

  fileprivate init(reading row: inout RowReader) throws(StorageError) {
    let id: UUID = try row.read()
    let alert: UUID? = try row.read()
    let sequence: Int? = try row.read()
    let occasion: Occasion
    switch (alert, sequence) {
    case (let alert?, nil): occasion = .alert(alert)
    case (nil, -1): occasion = .account
    case (nil, let sequence?): occasion = .deadline(sequence: sequence)
    default: throw .serialization("a delivery belongs to nothing")
    }
    self.init(
      id: id, occasion: occasion, stage: try row.read(), recipient: try row.read(),
      channel: try row.read(), address: try row.read(), state: try row.read(),
      attempts: try row.read(), lastAttemptIsRecorded: try row.read(),
      leasedUntil: try row.read(), finishedAt: try row.read())
  }
}
