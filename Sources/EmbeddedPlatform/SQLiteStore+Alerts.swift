import Clients
import Domain
import FoundationEssentials

extension Alert {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    alert.id, alert.kind, alert.message, alert.raised_at, alert.sequence, alert.resolved_at,
    alert.noticed_late_by
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), kind: try row.read(), message: try row.read(), raisedAt: try row.read(),
      sequence: try row.read(), resolvedAt: try row.read(), noticedLateBy: try row.read())
  }
}

extension SQLiteStore {
  func raiseAlert(_ message: String) throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let message = try ProfileRules.alertMessage(message)
      let key = try requireCurrentKey()
      if let active = try activeManualAlert(of: key) { return active }
      // One that was begun is the one that is meant.
      let armed = try armedAlert(of: key)
      try raise(
        Alert(
          id: armed?.id ?? makeUUID(), kind: .manual,
          message: message.isEmpty ? armed?.message ?? "" : message, raisedAt: now()),
        account: key)
      return try activeManualAlert(of: key)!
    }
  }

  /// Under duress the alert seems to end to its person, and goes on for everybody else.
  func cancelAlert(_ pass: GatePass) throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let key = try requireCurrentKey()
      guard var alert = try activeManualAlert(of: key) else { throw AlertError.notActive }
      alert.resolvedAt = now().stored
      switch pass {
      case .open:
        try database.run(
          "UPDATE alert SET resolved_at = ?2 WHERE id = ?1", alert.id, alert.resolvedAt)
      case .duress:
        try database.run(
          "UPDATE alert SET concealed_at = ?2 WHERE id = ?1", alert.id, alert.resolvedAt)
        try raiseSilentAlert(key)
      }
      if pass == .open { try tellResponders(of: key, .dependentAlertEnded) }
      try notify(key, .alertEnded)
      try touch(key)
      try touchPeers(of: key)
      return alert
    }
  }

  func activeManualAlert(of account: Int) throws(StorageError) -> Alert? {
    try database.row(
      """
      SELECT \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind = 'manual' AND resolved_at IS NULL AND concealed_at IS NULL
      """, account, read: Alert.init(reading:))
  }

  func acknowledgements(of alert: Int) throws(StorageError) -> [Acknowledgement] {
    try database.rows(
      "SELECT responder, name, at FROM acknowledgement WHERE alert = ?1 ORDER BY at, responder",
      alert
    ) { row throws(StorageError) in
      Acknowledgement(responder: try row.read(), name: try row.read(), date: try row.read())
    }
  }

  /// Leaves an alert of the same sequence as it is; whoever responds for the account sees a new one
  /// at once.
  /// - Returns: Whether it is new.
  @discardableResult
  func insertAlert(_ alert: Alert, account: Int) throws(StorageError) -> Bool {
    let inserted = try database.run(
      """
      INSERT INTO alert (account, id, kind, message, raised_at, sequence, noticed_late_by)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING
      """, account, alert.id, alert.kind, alert.message, alert.raisedAt, alert.sequence,
      alert.noticedLateBy)
    guard inserted == 1 else { return false }
    switch alert.kind {
    case .manual, .duress:
      try tellResponders(of: account, .dependentAlert, detail: alert.message)
    case .missed: try tellResponders(of: account, .dependentNonResponsive)
    case .drill: break
    }
    try touchPeers(of: account)
    return true
  }

  /// A linked responder's word that they take care of an alert, and of the others that are on for the
  /// same person (ESC-2).
  func acknowledge(_ id: Alert.ID) throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let key = try requireCurrentKey()
      let found = try database.row(
        """
        SELECT alert.key, alert.account, alert.kind = 'drill', relation.id FROM alert
          JOIN relation
            ON requester = alert.account AND addressee = ?2 AND roles & 1
            OR addressee = alert.account AND requester = ?2 AND roles & 2
        WHERE alert.id = ?1 AND alert.resolved_at IS NULL AND relation.state = 'active'
        """, id, key
      ) { row throws(StorageError) -> (alert: Int, person: Int, isDrill: Bool, relation: UUID) in
        (try row.read(), try row.read(), try row.read(), try row.read())
      }
      guard let found else { throw AlertError.notActive }
      try acknowledge(
        found.alert, of: found.person, isDrill: found.isDrill, by: found.relation,
        name: name(of: key))
      return try alert(found.alert)
    }
  }

  /// A responder's word about an alert, and about the others that are on for the same person, unless
  /// one of them is a drill; given twice, it counts once.
  func acknowledge(
    _ alert: Int, of person: Int, isDrill: Bool, by responder: Contact.ID, name: String
  ) throws(StorageError) {
    let acknowledged = try database.rows(
      """
      INSERT INTO acknowledgement (alert, responder, name, at)
        SELECT key, ?2, ?3, ?4 FROM alert
        WHERE key = ?1 OR account = ?5 AND resolved_at IS NULL AND kind <> 'drill' AND NOT ?6
      ON CONFLICT DO NOTHING RETURNING alert
      """, alert, responder, name, now(), person, isDrill
    ) { row throws(StorageError) in try row.read(Int.self) }
    // Nothing about a silent alert may reach its person (CHK-3).
    for alert in acknowledged where try isShown(alert) {
      try notify(person, .alertAcknowledged, about: name)
      break
    }
    try touch(person)
    try touchPeers(of: person)
  }

  /// Whether the person of an alert sees it as being on.
  private func isShown(_ alert: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      "SELECT 1 FROM alert WHERE key = ?1 AND kind <> 'duress' AND concealed_at IS NULL", alert)
      != nil
  }

  private func alert(_ key: Int) throws -> Alert {
    let alert = try database.row(
      "SELECT \(Alert.columns) FROM alert WHERE key = ?1", key, read: Alert.init(reading:))
    guard var alert else { throw AlertError.notActive }
    alert.acknowledgements = try acknowledgements(of: key)
    return alert
  }

  // MARK: Drills

  func beginDrill() throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let key = try requireCurrentKey()
      if let active = try activeDrill(of: key) { return active }
      try insertAlert(Alert(id: makeUUID(), kind: .drill, raisedAt: now()), account: key)
      try touch(key)
      return try activeDrill(of: key)!
    }
  }

  func endDrill() throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let key = try requireCurrentKey()
      guard var drill = try activeDrill(of: key) else { throw AlertError.notActive }
      drill.resolvedAt = now().stored
      try endDrill(drill.id, of: key, at: drill.resolvedAt!)
      try touch(key)
      return drill
    }
  }

  /// Ends a drill, unless it is over, and says how it went (ALT-6).
  func endDrill(_ id: Alert.ID, of account: Int, at now: Date) throws(StorageError) {
    let ended = try database.run(
      """
      UPDATE alert SET resolved_at = ?3
      WHERE id = ?1 AND account = ?2 AND kind = 'drill' AND resolved_at IS NULL
      """, id, account, now)
    guard ended > 0, let report = try reports(of: account, only: id).first else { return }
    let drill = DrillReport(report)
    try notify(account, drill.isEverybodyTold ? .success : .error, detail: drill.summary)
  }

  private func activeDrill(of account: Int) throws(StorageError) -> Alert? {
    try database.row(
      """
      SELECT \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind = 'drill' AND resolved_at IS NULL
      """, account, read: Alert.init(reading:))
  }

  // MARK: Reports

  func alerts(_ limit: Int) throws(AlertError) -> [AlertReport] {
    try read(AlertError.self) { try reports(of: requireCurrentKey(), limit: max(0, limit)) }
  }

  /// Whether a silent alert of an account is on.
  func isUnderDuress(_ account: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      "SELECT 1 FROM alert WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL",
      account) != nil
  }

  /// Alerts as their person is shown them, newest first; a silent one never is (CHK-3).
  func reports(
    of account: Int, only id: Alert.ID? = nil, limit: Int = 1
  ) throws(StorageError) -> [AlertReport] {
    let isUnderDuress = try isUnderDuress(account)
    let alerts = try database.rows(
      """
      SELECT alert.key, concealed_at, \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind <> 'duress' AND id = coalesce(?2, id)
      ORDER BY key DESC LIMIT ?3
      """, account, id, limit
    ) { row throws(StorageError) -> (Int, Date?, Alert) in
      (try row.read(), try row.read(), try Alert(reading: &row))
    }
    return try alerts.map { key, concealedAt, alert throws(StorageError) in
      var alert = alert
      alert.acknowledgements = try acknowledgements(of: key)
      let report = AlertReport(alert: alert, deliveries: try deliveryReports(of: key))
      if let concealedAt { return report.seemingToEnd(at: concealedAt) }
      return isUnderDuress ? report.withoutTraceOfDuress : report
    }
  }

  private func deliveryReports(of alert: Int) throws(StorageError) -> [DeliveryReport] {
    try database.rows(
      """
      SELECT EXISTS (SELECT 1 FROM contact WHERE contact.id = delivery.recipient),
        \(DeliveryReport.columns)
      FROM delivery WHERE alert = ?1 ORDER BY key
      """, alert
    ) { row throws(StorageError) in
      let isNamed: Bool = try row.read()
      var report = try DeliveryReport(reading: &row)
      if !isNamed { report.address = report.channel.addressForOthers(report.address) }
      return report
    }
  }
}
