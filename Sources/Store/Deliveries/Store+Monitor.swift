import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Store {
  // MARK: Applying plans

  /// Writes plans in one transaction. A hundred of them delay an app that checks in by less than a
  /// tenth of the time that it is ready to wait. If one can't be written, nothing is kept, and the
  /// others are written without it.
  func apply(
    _ plans: [AccountPlan], now: Date
  ) throws(StorageError) -> [Result<Bool, StorageError>] {
    try sparingOthers(plans) { plans in
      try write(StorageError.self) {
        try plans.map { try apply($0.plan, to: $0.account, revision: $0.revision, now: now) }
      }
    }
  }

  private func apply(
    _ plan: Plan, to account: User.ID, revision: Int, now: Date
  ) throws -> Bool {
    let found = try database.row(
      """
      SELECT key, fault IS NOT NULL FROM account WHERE id = ?1 AND \(Self.revision) = ?2
      """, account, revision
    ) { row throws(StorageError) -> (Int, Bool) in (try row.read(), try row.read()) }
    guard let (key, hadFault) = found else { return false }
    if plan.erasesAccount {
      try database.run("DELETE FROM account WHERE key = ?1 AND deleted_at IS NOT NULL", key)
      spool.removeAll(of: account)
      return true
    }
    if let alert = plan.raisedAlert {
      // It was stopped or postponed after it was read, by a program that waits for the store.
      if let armed = try armedAlert(of: key), armed.id == alert.id,
        spool.present(armed)?.isDue(at: now) != true
      {
        return false
      }
      try raise(alert, account: key)
    }
    if let alert = plan.missedAlert, try insertAlert(alert, account: key) {
      try notify(key, .nonResponsive)
    }
    if let outing = plan.changedOuting { try change(planned: outing, of: key) }
    if let alert = plan.outingAlert, try user(key).outing?.id == alert.id,
      try insertAlert(alert, account: key)
    {
      try notify(key, .notBack)
    }
    if let start = plan.graceFrom {
      try database.run(
        "UPDATE account SET grace_sequence = check_in_sequence, grace_from = ?2 WHERE key = ?1",
        key, start)
      try noteChange(forPeersOf: key)
    }
    if let schedule = plan.earlierSchedule {
      try store(schedule, of: key)
      try noteChange(forPeersOf: key)
    }
    for stage in plan.stagesToShow { try notify(key, stage: stage) }
    for id in plan.expired { try expire(id, of: key, now: now) }
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
      UPDATE account SET revision = \(Self.revision) + 1, attention_at = ?2, fault = NULL
      WHERE key = ?1
      """, key, plan.nextPlanning ?? .farFuture)
    try endAttention(of: key)
    if try hadFault || changesAnythingSeen(plan, of: key) { try noteChange(of: key) }
    return true
  }

  /// Returns whether a plan changes anything that its person can see. What it does for a silent
  /// alert alone wakes none of their devices (CHK-3).
  private func changesAnythingSeen(_ plan: Plan, of key: Int) throws(StorageError) -> Bool {
    guard plan.raisedAlert == nil, plan.missedAlert == nil, plan.outingAlert == nil,
      plan.changedOuting == nil, plan.graceFrom == nil,
      plan.earlierSchedule == nil, plan.stagesToShow.isEmpty, plan.expired.isEmpty,
      plan.endedDrills.isEmpty
    else { return true }
    guard !plan.deliveries.isEmpty || !plan.cancelled.isEmpty else { return false }
    let silent = try database.column(
      UUID.self, "SELECT id FROM alert WHERE account = ?1 AND kind = 'duress'", key)
    if plan.deliveries.contains(where: { delivery in
      !silent.contains { delivery.occasion == .alert($0) }
    }) {
      return true
    }
    for id in plan.cancelled {
      let isSeen = try database.value(
        Bool.self, "SELECT NOT \(Self.isHidden) FROM delivery WHERE id = ?1", id)
      if isSeen != false { return true }
    }
    return false
  }

  /// Inserts a delivery. One that exists stays as it is, except that a cancelled one becomes
  /// pending again.
  func insert(
    _ planned: PlannedDelivery, account: Int, now: Date
  ) throws(StorageError) {
    var about: (key: Int, kind: Alert.Kind)?
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
      about = try database.row(
        "SELECT key, kind FROM alert WHERE id = ?1 AND account = ?2 AND settled = 0", alertID,
        account
      ) { row throws(StorageError) in (try row.read(), try row.read()) }
      // Another monitor raised the alert under another identifier, with its own deliveries; or this
      // plan's alert has ended a drill (ALT-8).
      guard about != nil else { return }
      id = UUID(of: planned, about: alertID)
    }
    let alert = about?.key
    let occasion = alert == nil ? "alert IS NULL AND sequence = ?2" : "alert = ?2"
    let destination = Destination(kind: planned.channel, address: planned.address)
    let line = try nextLine(of: account, isCall: planned.stage.isCall)
    let wait = try heldBack(planned, about: about?.kind, account: account, at: now)
    let revived = try database.rowsChanged(
      by: """
        UPDATE delivery SET state = 'pending', planned_at = ?7, not_before = ?7, finished_at = NULL,
          line = ?8 + iif(attempts > 0, 100, 0), destination = ?9
        WHERE account = ?1 AND \(occasion) AND stage = ?3 AND recipient = ?4
          AND channel = ?5 AND address = ?6 AND state = 'cancelled'
        """, account, alert ?? sequence, planned.stage, planned.recipient, planned.channel,
      planned.address, now, line, destination)
    var inserted = 0
    if revived == 0 {
      inserted = try database.rowsChanged(
        by: """
          INSERT INTO delivery (
            account, id, alert, sequence, stage, recipient, recipient_name, channel, address,
            in_reply_to, planned_at, not_before, detail, line, destination)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13, ?14)
          ON CONFLICT DO NOTHING
          """, account, id, alert, sequence, planned.stage, planned.recipient,
        planned.recipientName, planned.channel, planned.address, planned.inReplyTo, now,
        planned.detail, line, destination)
      if let alert, planned.stage.isCall, case .contact(let responder) = planned.recipient {
        try makeResponseCode(account, alert: alert, responder: responder, now: now)
        if planned.stage == .nonResponsive, inserted == 1 {
          try showInTurn(alert, to: responder, of: account)
        }
      }
    }
    if let wait, revived + inserted > 0 {
      try holdBack(planned, about: about, until: wait, account: account, at: now)
    }
  }

  /// Gives up a drill's message that was not sent in time (CHN-2).
  private func expire(_ id: UUID, of account: Int, now: Date) throws(StorageError) {
    try database.run(
      """
      UPDATE delivery SET state = 'failed', finished_at = ?3, detail = '',
        last_error = coalesce(last_error, 'no monitor could send it in time')
      WHERE id = ?1 AND account = ?2 AND state = 'pending'
        AND coalesce(leased_until, 0) <= ?3
      """, id, account, now)
  }

  // MARK: Recording attempts

  /// Records the result of an attempt. Must be called within a transaction that then touches the
  /// account.
  /// - Returns: The account; `nil` if another monitor has the message by now.
  func record(_ record: PendingRecord) throws(StorageError) -> MessageChange? {
    let (delivery, token, outcome) = (record.delivery, record.token, record.outcome)
    let (retryAt, now) = (record.retryAt, record.now)
    let found = try database.row(
      """
      SELECT key, account, state, route, destination, begun_at, outcome, outcome_run, ambiguous,
        \(Self.isHidden)
      FROM delivery WHERE id = ?1 AND token = ?2
      """, delivery, token
    ) { row throws(StorageError) -> AttemptRow in try AttemptRow(reading: &row) }
    guard let found else { return nil }
    let attempts = found.earlier.adding(outcome)
    let end = RecordedEnd(outcome, retryAt: retryAt, state: found.state)
    try database.run(
      """
      UPDATE delivery SET token = NULL, leased_until = NULL, recorded = 1,
        doubtful = max(doubtful, ?2), state = ?3, last_error = ?4,
        not_before = coalesce(?5, not_before),
        finished_at = iif(?3 = state, finished_at, ?6),
        detail = iif(?3 = 'pending', detail, ''), begun_at = NULL, outcome = ?7, outcome_run = ?8,
        ambiguous = ?9
      WHERE key = ?1
      """, found.key, end.isDoubtful, end.state, end.error, end.retryAt, now,
      outcome.kind.rawValue, attempts.run, attempts.ambiguous)
    if let route = found.route {
      try note(
        outcome, on: route, to: found.destination, begunAt: found.begunAt, by: token, at: now)
    }
    if end.state == .failed, found.state != .failed { try notifyFailure(of: found.key) }
    return MessageChange(account: found.account, isHidden: found.isHidden)
  }

  /// Whether a delivery is of a silent alert.
  static let isHidden =
    """
    EXISTS (SELECT 1 FROM alert WHERE alert.key = delivery.alert AND alert.kind = 'duress')
    """

  // MARK: Waiting

  /// Returns when the first account needs attention, or the first delivery can be taken.
  func nextWake() throws(StorageError) -> Date? {
    // Read as a number, so that one invalid time doesn't hold up the wake-up for all (ESC-6).
    let wake = try database.optionalValue(
      Int.self,
      """
      SELECT min(max(min(at), 0), ?1) FROM (
        SELECT min(attention_at) AS at FROM account
        UNION ALL SELECT min(not_before) FROM delivery WHERE state = 'pending'
        UNION ALL SELECT since FROM watch WHERE swept IS NOT NULL
        UNION ALL SELECT 0 WHERE EXISTS (SELECT 1 FROM attention)) AS wakes
      """, Date.farFuture)
    guard let wake, wake < Date.farFuture.milliseconds else { return nil }
    return Date(milliseconds: wake)
  }
}

/// What the record of an attempt depends on.
private struct AttemptRow {
  var key: Int
  var account: Int
  var state: DeliveryState
  var route: String?
  var destination: String
  var begunAt: Date?
  var earlier: EarlierAttempts
  var isHidden: Bool

  init(reading row: inout RowReader) throws(StorageError) {
    key = try row.read()
    account = try row.read()
    state = try row.read()
    route = try row.read()
    destination = try row.read()
    begunAt = try row.read()
    let last: String? = try row.read()
    earlier = EarlierAttempts(
      last: last.flatMap(DeliveryOutcome.Kind.init), run: try row.read(),
      ambiguous: try row.read())
    isHidden = try row.read()
  }
}

/// The state of a delivery after an outcome.
private struct RecordedEnd {
  var state: DeliveryState
  var error: String?
  var isDoubtful = false
  var retryAt: Date?

  /// Gives the delivery up if there is no time for another attempt. One that was cancelled while it
  /// was being sent stays cancelled, unless it was sent.
  init(_ outcome: DeliveryOutcome, retryAt: Date?, state: DeliveryState) {
    self.state = state
    switch outcome {
    case .sent: self.state = .sent
    case .retry, .limited, .permanent, .ambiguous, .misconfigured, .accessRefused:
      error = outcome.reason
      if case .ambiguous = outcome { isDoubtful = true }
      guard state == .pending else { return }
      if retryAt == nil { self.state = .failed }
      self.retryAt = retryAt
    }
  }
}
