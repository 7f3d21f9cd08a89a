import Clients
import Domain
import FoundationEssentials

extension Alert {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    alert.id, alert.kind, alert.message, alert.raised_at, alert.sequence, alert.resolved_at
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), kind: try row.read(), message: try row.read(), raisedAt: try row.read(),
      sequence: try row.read(), resolvedAt: try row.read())
  }
}

extension SQLiteStore {
  func raiseAlert(_ message: String) throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let message = try ProfileRules.alertMessage(message)
      let key = try localKey()
      if let active = try activeManualAlert(of: key) { return active }
      try insertAlert(
        Alert(id: makeUUID(), kind: .manual, message: message, raisedAt: now()), account: key)
      try touch(key)
      return try activeManualAlert(of: key)!
    }
  }

  func cancelAlert() throws(AlertError) -> Alert {
    try write(AlertError.self) {
      let key = try localKey()
      guard var alert = try activeManualAlert(of: key) else { throw AlertError.notActive }
      alert.resolvedAt = now().stored
      try database.run(
        "UPDATE alert SET resolved_at = ?2 WHERE id = ?1", alert.id, alert.resolvedAt)
      try touch(key)
      return alert
    }
  }

  private func activeManualAlert(of account: Int) throws(StorageError) -> Alert? {
    try database.row(
      """
      SELECT \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind = 'manual' AND resolved_at IS NULL
      """, account, read: Alert.init(reading:))
  }

  /// Leaves an alert of the same sequence as it is.
  func insertAlert(_ alert: Alert, account: Int) throws(StorageError) {
    try database.run(
      """
      INSERT INTO alert (account, id, kind, message, raised_at, sequence)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING
      """, account, alert.id, alert.kind, alert.message, alert.raisedAt, alert.sequence)
  }

  func alerts(_ limit: Int) throws(AlertError) -> [AlertReport] {
    try read(AlertError.self) {
      let alerts = try database.rows(
        """
        SELECT alert.key, \(Alert.columns) FROM alert
        WHERE account = ?1 ORDER BY key DESC LIMIT ?2
        """, localKey(), max(0, limit)
      ) { row throws(StorageError) -> (Int, Alert) in
        (try row.read(), try Alert(reading: &row))
      }
      return try alerts.map { key, alert in
        let deliveries = try database.rows(
          """
          SELECT id, stage, recipient_name, channel, address, state,
            coalesce(finished_at, not_before), last_error
          FROM delivery WHERE alert = ?1 ORDER BY key
          """, key
        ) { row throws(StorageError) in
          DeliveryReport(
            id: try row.read(), stage: try row.read(), recipient: try row.read(),
            channel: try row.read(), address: try row.read(), state: try row.read(),
            date: try row.read(), error: try row.read())
        }
        return AlertReport(alert: alert, deliveries: deliveries)
      }
    }
  }
}
