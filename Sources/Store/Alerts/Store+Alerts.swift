import Clients
import Domain
import FoundationEssentials

extension Alert {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    alert.id, alert.kind, alert.message, alert.raised_at, alert.sequence, alert.resolved_at,
    alert.noticed_late_by, alert.due_back
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), kind: try row.read(), message: try row.read(), raisedAt: try row.read(),
      sequence: try row.read(), resolvedAt: try row.read(), noticedLateBy: try row.read(),
      dueBack: try row.read())
  }
}

extension Store {
  func raiseAlert(_ message: String) throws(ClientError) -> Alert {
    var account: User.ID?
    let alert = try writeTakingFiles { key in
      account = try database.value(User.ID.self, "SELECT id FROM account WHERE key = ?1", key)
      let message = try ProfileRules.alertMessage(message)
      if let active = try activeManualAlert(of: key) {
        try database.run("UPDATE alert SET asked_at = ?2 WHERE id = ?1", active.id, now())
        return active
      }
      // An armed alert is the one that the person means.
      let armed = try unstoppedAlert(of: key)
      try raise(
        Alert(
          id: armed?.id ?? makeUUID(), kind: .manual,
          message: message.isEmpty ? armed?.message ?? "" : message, raisedAt: now()),
        account: key)
      return try activeManualAlert(of: key)!
    }
    if !session.isRemote { try? spool.keep(alert, of: account) }
    return alert
  }

  /// Ends the manual alert. Under duress, the silent alert goes on in its place, with its message,
  /// and no all-clear is sent while that is on.
  func cancelAlert() throws(ClientError) -> Alert {
    // An alert waiting in a file is part of the one that is on, and ends with it. If it is due, its
    // person has read that it is on.
    func isOn(_ key: Int) throws -> Bool {
      let isDue = try waiting(of: key).contains { $0.isDue(at: now()) }
      return try isDue || activeManualAlert(of: key) != nil
    }
    let alert = try writeTakingFiles(if: isOn) { key in
      guard var alert = try activeManualAlert(of: key) else { throw ClientError.alertNotActive }
      // One that was made before the person last called for help doesn't mean that call.
      let asked = try database.value(
        Date.self, "SELECT coalesce(asked_at, raised_at) FROM alert WHERE id = ?1", alert.id)
      if let asked, let made = session.made?.earliest(now: now()),
        made + RequestTime.tolerance < asked
      {
        throw ClientError.requestTooOld
      }
      alert.resolvedAt = now().stored
      try database.run(
        "UPDATE alert SET resolved_at = ?2 WHERE id = ?1", alert.id, alert.resolvedAt)
      try database.run(
        """
        UPDATE alert SET message = ?2
        WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL AND message = ''
        """, key, alert.message)
      // Under duress, other accounts go on seeing the silent alert.
      if try !isUnderDuress(key) { try notifyResponders(of: key, .dependentAlertEnded) }
      try notify(key, .alertEnded)
      try touch(key)
      try noteChange(forPeersOf: key)
      return alert
    }
    spool.removeArmed(alert.id)
    return alert
  }

  func activeManualAlert(of account: Int) throws(StorageError) -> Alert? {
    try database.row(
      """
      SELECT \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind = 'manual' AND resolved_at IS NULL
      """, account, read: Alert.init(reading:))
  }

  func acknowledgements(of alert: Int) throws(StorageError) -> [Acknowledgement] {
    try responses(to: alert).acknowledgements
  }

  /// Returns who responds to an alert, and who has withdrawn. The withdrawal of a removed responder
  /// isn't listed: they didn't withdraw themselves.
  private func responses(
    to alert: Int
  ) throws(StorageError) -> (acknowledgements: [Acknowledgement], withdrawals: [Withdrawal]) {
    var acknowledgements: [Acknowledgement] = []
    var withdrawals: [Withdrawal] = []
    try database.visit(
      """
      SELECT responder, acknowledgement.name, at, nullif(withdrawals, 0), withdrawn_at
      FROM acknowledgement JOIN alert ON alert.key = acknowledgement.alert
      WHERE acknowledgement.alert = ?1 AND (
        withdrawn_at IS NULL
        OR EXISTS (
          SELECT 1 FROM contact WHERE contact.account = alert.account AND contact.id = responder
            AND contact.roles & 1 <> 0)
        OR EXISTS (
          SELECT 1 FROM relation WHERE relation.id = responder AND relation.state = 'active'
            AND relation.roles & iif(requester = alert.account, 1, 2) <> 0))
      ORDER BY coalesce(withdrawn_at, at), responder
      """, alert
    ) { row throws(StorageError) in
      let given = Acknowledgement(
        responder: try row.read(), name: try row.read(), date: try row.read(),
        withdrawals: try row.read())
      if let withdrawn: Date = try row.read() {
        withdrawals.append(
          Withdrawal(responder: given.responder, name: given.name, date: withdrawn))
      } else {
        acknowledgements.append(given)
      }
      return true
    }
    return (acknowledgements, withdrawals)
  }

  /// Inserts an alert, unless there is one of the same sequence, and shows it at once to people who
  /// respond for the account. An alert that its person sees ends a drill (ALT-8).
  /// - Returns: Whether it is new.
  @discardableResult
  func insertAlert(_ alert: Alert, account: Int) throws(StorageError) -> Bool {
    let inserted = try database.rowsChanged(
      by: """
        INSERT INTO alert (
          account, id, kind, message, raised_at, sequence, noticed_late_by, due_back)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING
        """, account, alert.id, alert.kind, alert.message, alert.raisedAt, alert.sequence,
      alert.noticedLateBy, alert.dueBack)
    guard inserted == 1 else { return false }
    if alert.kind == .manual || alert.kind.isMissedPromise {
      // What was to say that all is well isn't true any more.
      try cancelReassurances(of: account)
      if try activeDrill(of: account) != nil {
        try notify(account, .info, detail: DrillReport.endedByAlertText)
      }
      try silenceDrills(of: account, at: alert.raisedAt)
    }
    switch alert.kind {
    case .manual, .duress:
      try notifyResponders(
        of: account, .dependentAlert,
        detail: alert.kind == .duress ? Alert.silentAdvice : alert.message)
    // Those who wait learn of it in their turn (ESC-8).
    case .missed: try notifyResponders(of: account, .dependentNonResponsive, isInTurn: true)
    case .outing:
      guard let outing = try? user(account).outing, outing.id == alert.id else { break }
      try notifyResponders(
        of: account, .dependentNotBack, detail: alert.message, isInTurn: true,
        among: outingResponders(outing, of: account))
    case .drill: break
    }
    try noteChange(forPeersOf: account)
    return true
  }

  /// Records that a linked responder is responding to an alert, and to the others that are on for
  /// the same person (ESC-2).
  func acknowledge(_ id: Alert.ID) throws(ClientError) -> Alert {
    try write { key in
      let found = try dependentsAlert(id, of: key)
      try acknowledge(
        found.alert, of: found.person, isDrill: found.isDrill, by: found.relation,
        name: name(of: key))
      return try alert(found.alert)
    }
  }

  /// Withdraws a linked responder's response (PAGE-1).
  func withdraw(_ id: Alert.ID) throws(ClientError) -> Alert {
    try write {
      let found = try dependentsAlert(id, of: requireCurrentKey())
      try withdraw(found.relation, from: found.alert, isDrill: found.isDrill, of: found.person)
      return try alert(found.alert)
    }
  }

  /// Returns an alert that is on, of a person that the account responds for.
  private func dependentsAlert(
    _ id: Alert.ID, of key: Int
  ) throws -> (alert: Int, person: Int, isDrill: Bool, relation: UUID) {
    let found = try database.row(
      """
      SELECT alert.key, alert.account, alert.kind = 'drill', relation.id FROM alert
        JOIN relation
          ON requester = alert.account AND addressee = ?2 AND roles & 1 <> 0
          OR addressee = alert.account AND requester = ?2 AND roles & 2 <> 0
      WHERE alert.id = ?1 AND alert.resolved_at IS NULL AND relation.state = 'active'
      """, id, key
    ) { row throws(StorageError) -> (alert: Int, person: Int, isDrill: Bool, relation: UUID) in
      (try row.read(), try row.read(), try row.read(), try row.read())
    }
    guard let found else { throw ClientError.alertNotActive }
    return found
  }

  /// Records a response to an alert, and to the others that are on for the same person, unless one
  /// of them is a drill. A repeated response counts once.
  func acknowledge(
    _ alert: Int, of person: Int, isDrill: Bool, by responder: Contact.ID, name: String
  ) throws(StorageError) {
    let acknowledged = try database.column(
      Int.self,
      """
      INSERT INTO acknowledgement (alert, responder, name, at)
        SELECT key, ?2, ?3, ?4 FROM alert
        WHERE key = ?1 AND (kind = 'duress' OR ?8 <> 0)
          OR account = ?5 AND resolved_at IS NULL AND kind <> 'drill' AND ?6 = 0
          -- Who is only kept for a silent alert knows of no other.
          AND (kind = 'duress' OR ?7 <> 0)
          -- Who was not chosen for an outing knows nothing of it (OUT-4).
          AND (kind <> 'outing' OR ?9 <> 0)
      -- One that was taken back is given again.
      ON CONFLICT (alert, responder) DO UPDATE
        SET at = excluded.at, name = excluded.name, withdrawn_at = NULL
        WHERE acknowledgement.withdrawn_at IS NOT NULL
      RETURNING alert
      """, alert, responder, name, now(), person, isDrill,
      try responders(of: person).contains { $0.id == responder },
      try responderName(responder, of: person, orKept: false) != nil,
      try isConcerned(responder, byOutingOf: person))
    // The person must not learn anything about a silent alert (CHK-3).
    var isSeen = false
    for alert in acknowledged where try isShown(alert) {
      try notify(person, .alertAcknowledged, about: name)
      isSeen = true
      break
    }
    try requestAttention(for: person, isSeen: isSeen)
    try noteChange(forPeersOf: person)
  }

  /// Returns whether the person of an alert sees it.
  func isShown(_ alert: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      "SELECT 1 FROM alert WHERE key = ?1 AND kind <> 'duress'", alert) != nil
  }

  func alert(_ key: Int) throws -> Alert {
    let alert = try database.row(
      "SELECT \(Alert.columns) FROM alert WHERE key = ?1", key, read: Alert.init(reading:))
    guard var alert else { throw ClientError.alertNotActive }
    alert.acknowledgements = try acknowledgements(of: key)
    return alert
  }

  /// Returns whether an account has a silent alert that is on.
  func isUnderDuress(_ account: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      "SELECT 1 FROM alert WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL",
      account) != nil
  }

  /// Returns the silent alert that is sent in place of an all-clear to a responder who knows of it
  /// (CHK-3).
  func silentAlert(
    toldInPlaceOf end: ClaimedDelivery, of account: Int
  ) throws(StorageError) -> (key: Int, alert: Alert)? {
    guard end.stage.isReassuring, end.alert?.kind != .drill,
      case .contact(let contact) = end.recipient
    else { return nil }
    return try database.row(
      """
      SELECT alert.key, \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL AND EXISTS (
        SELECT 1 FROM delivery WHERE delivery.alert = alert.key AND stage = 'alert_on'
          AND recipient = ?2 AND channel = ?3 AND address = ?4 AND state <> 'cancelled')
        AND (
          EXISTS (SELECT 1 FROM kept_channel WHERE kept_channel.account = ?1 AND responder = ?5)
          OR EXISTS (
            SELECT 1 FROM contact WHERE contact.account = ?1 AND contact.id = ?5
              AND contact.roles & 1 <> 0 AND contact.declined_at IS NULL)
          OR EXISTS (
            SELECT 1 FROM relation WHERE relation.id = ?5 AND relation.state = 'active'
              AND relation.roles & iif(requester = ?1, 1, 2) <> 0))
      """, account, end.recipient, end.channel, end.address, contact
    ) { row throws(StorageError) in (try row.read(), try Alert(reading: &row)) }
  }

  /// Returns the result to pretend for a message that must not be sent while a silent alert is on:
  /// one about a drill, or an all-clear. Returns `nil` for a message that is sent.
  ///
  /// The result follows the last one at the same address. Messages about the silent alert count,
  /// too: they show whether the address works now.
  func pretendedResult(
    for message: ClaimedDelivery, of account: Int
  ) throws(StorageError) -> ClaimedDelivery.PretendedResult? {
    guard message.alert?.kind == .drill || message.stage.isReassuring,
      let since = try database.value(
        Date.self,
        """
        SELECT raised_at FROM alert
        WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL
        """, account)
    else { return nil }
    let last = try database.row(
      """
      SELECT delivery.state, last_error,
        iif(delivery.state = 'sent' AND attempts = 1, finished_at - planned_at, NULL)
      FROM delivery LEFT JOIN alert ON alert.key = delivery.alert
      WHERE delivery.account = ?1 AND channel = ?2 AND address = ?3
        AND (delivery.state IN ('sent', 'failed')
          OR delivery.state = 'pending' AND last_error IS NOT NULL)
        AND NOT (coalesce(alert.kind, '') = 'drill' AND planned_at >= ?4)
      ORDER BY finished_at IS NOT NULL, finished_at DESC, delivery.key DESC LIMIT 1
      """, account, message.channel, message.address, since
    ) { row throws(StorageError) -> (state: DeliveryState, error: String?, took: Int?) in
      (try row.read(), try row.read(), try row.read())
    }
    return ClaimedDelivery.PretendedResult(
      last: last.map { ($0.state, $0.error) }, duration: last?.took.map { Double($0) / 1_000 })
  }

  // MARK: Reports

  func alerts(_ limit: Int) throws(ClientError) -> [AlertReport] {
    try read { try reports(of: requireCurrentKey(), limit: max(0, limit)) }
  }

  /// Returns alerts as their person sees them, newest first, which leaves out silent ones (CHK-3).
  func reports(
    of account: Int, only id: Alert.ID? = nil, limit: Int = 1
  ) throws(StorageError) -> [AlertReport] {
    let alerts = try database.rows(
      """
      SELECT alert.key, \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind <> 'duress' AND id = coalesce(?2, id)
      ORDER BY key DESC LIMIT ?3
      """, account, id, limit
    ) { row throws(StorageError) -> (Int, Alert) in
      (try row.read(), try Alert(reading: &row))
    }
    return try alerts.map { key, alert throws(StorageError) in
      var alert = alert
      let responses = try responses(to: key)
      alert.acknowledgements = responses.acknowledgements
      return AlertReport(
        alert: alert, deliveries: try deliveryReports(of: key, isDrill: alert.kind == .drill),
        withdrawals: responses.withdrawals)
    }
  }

  private func deliveryReports(
    of alert: Int, isDrill: Bool
  ) throws(StorageError) -> [DeliveryReport] {
    try database.rows(
      """
      SELECT EXISTS (
          SELECT 1 FROM contact WHERE contact.account = delivery.account AND contact.id = recipient)
        AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.id = recipient),
        \(DeliveryReport.columns)
      FROM delivery WHERE alert = ?1 ORDER BY key
      """, alert
    ) { row throws(StorageError) in
      let isNamed: Bool = try row.read()
      var report = try DeliveryReport(reading: &row)
      report.isDrill = isDrill
      if !isNamed { report.address = report.channel.addressForOthers(report.address) }
      return report
    }
  }
}
