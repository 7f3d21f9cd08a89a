import Clients
import Domain
import FoundationEssentials

extension Store {
  func beginDrill() throws(ClientError) -> Alert {
    try write { key in
      if let active = try activeDrill(of: key) { return active }
      guard try !isAlertShown(of: key) else { throw ClientError.alertIsOn }
      try insertAlert(Alert(id: makeUUID(), kind: .drill, raisedAt: now()), account: key)
      try touch(key)
      return try activeDrill(of: key)!
    }
  }

  func endDrill() throws(ClientError) -> Alert {
    try write { key in
      guard var drill = try activeDrill(of: key) else { throw ClientError.alertNotActive }
      drill.resolvedAt = now().stored
      try endDrill(drill.id, of: key, at: drill.resolvedAt!)
      try touch(key)
      return drill
    }
  }

  /// Ends a drill, unless it is over, and notifies the person of how it went (ALT-6).
  func endDrill(_ id: Alert.ID, of account: Int, at now: Date) throws(StorageError) {
    let ended = try database.rowsChanged(
      by: """
        UPDATE alert SET resolved_at = ?3
        WHERE id = ?1 AND account = ?2 AND kind = 'drill' AND resolved_at IS NULL
        """, id, account, now)
    guard ended > 0, let report = try reports(of: account, only: id).first else { return }
    let drill = DrillReport(report)
    try notify(account, drill.isSentToAll ? .drillPassed : .drillFailed, detail: drill.summary)
  }

  /// Ends an account's drills without sending anything more about them (ALT-8).
  func silenceDrills(of account: Int, at now: Date) throws(StorageError) {
    try database.run(
      """
      UPDATE delivery SET state = 'cancelled', finished_at = ?2
      WHERE state = 'pending' AND alert IN (
        SELECT key FROM alert WHERE account = ?1 AND kind = 'drill' AND settled = 0)
      """, account, now)
    try database.run(
      """
      UPDATE alert SET resolved_at = coalesce(resolved_at, ?2), settled = 1
      WHERE account = ?1 AND kind = 'drill' AND settled = 0
      """, account, now)
  }

  /// Returns whether an alert is on that its person sees, so not a silent one (CHK-3).
  func isAlertShown(of account: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      """
      SELECT 1 FROM alert WHERE account = ?1 AND kind NOT IN ('drill', 'duress')
        AND resolved_at IS NULL LIMIT 1
      """, account) != nil
  }

  /// Returns whether an alert other than a drill is on besides the one with a key.
  func isAnotherAlertOn(of account: Int, than alert: Int) throws(StorageError) -> Bool {
    try database.value(
      Int.self,
      """
      SELECT 1 FROM alert
      WHERE account = ?1 AND settled = 0 AND key <> ?2 AND resolved_at IS NULL
        AND kind <> 'drill' LIMIT 1
      """, account, alert) != nil
  }

  func activeDrill(of account: Int) throws(StorageError) -> Alert? {
    try database.row(
      """
      SELECT \(Alert.columns) FROM alert
      WHERE account = ?1 AND kind = 'drill' AND resolved_at IS NULL
      """, account, read: Alert.init(reading:))
  }

  /// Returns whether the recipient of a call for help was sent a drill shortly before.
  func followsDrill(_ message: ClaimedDelivery, of account: Int) throws(StorageError) -> Bool {
    guard let alert = message.alert, alert.kind != .drill, message.stage.isCall else {
      return false
    }
    return try database.value(
      Int.self,
      """
      SELECT 1 FROM alert JOIN delivery ON delivery.alert = alert.key
      WHERE alert.account = ?1 AND kind = 'drill' AND raised_at <= ?2
        AND coalesce(resolved_at, ?2) >= ?3 AND recipient = ?4 AND attempts > 0 LIMIT 1
      """, account, alert.raisedAt, alert.raisedAt - DrillReport.followUpWindow, message.recipient)
      != nil
  }
}
