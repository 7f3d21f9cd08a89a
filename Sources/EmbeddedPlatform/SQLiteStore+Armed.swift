import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Alerts that were begun (ALT-7).
extension SQLiteStore {
  func arm(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) throws(AlertError) -> Arming {
    let now = now().stored
    let armed = ArmedAlert(
      id: id, message: ProfileRules.shortenedAlertMessage(message), armedAt: now,
      firesAt: now + delay)
    // First into its file: the store may be locked for seconds, and the program may not live as long.
    if let account = seat.account {
      _ = try? spool.keep(SpooledAlert(account: account, armed: armed))
    }
    let arming = try write(AlertError.self) { try arm(armed, account: requireCurrentKey()) }
    spool.remove(id)
    return arming
  }

  /// For the body of a transaction.
  private func arm(_ wanted: ArmedAlert, account key: Int) throws -> Arming {
    if let on = try activeOrOwn(wanted.id, of: key) {
      try database.run("DELETE FROM armed_alert WHERE id = ?1", wanted.id)
      return .raised(try add(wanted.message, to: on, account: key))
    }
    let isStopped = try database.value(
      Int.self, "SELECT 1 FROM armed_alert WHERE id = ?1 AND stopped_at IS NOT NULL", wanted.id)
    guard isStopped == nil else { return .stopped }
    var armed = wanted
    if let known = try armedAlert(of: key) {
      guard known.id == wanted.id else { return .armed(known) }
      armed = ArmedAlert(
        id: wanted.id, message: wanted.message, armedAt: known.armedAt, firesAt: wanted.firesAt)
    }
    try database.run(
      """
      INSERT INTO armed_alert (id, account, message, armed_at, fires_at)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (id) DO UPDATE SET message = ?3, fires_at = ?5
      """, armed.id, key, armed.message, armed.armedAt, armed.firesAt)
    try touch(key)
    guard armed.isDue(at: now()) else { return .armed(armed) }
    let alert = armed.raised(at: now().stored)
    try raise(alert, account: key)
    return .raised(alert)
  }

  /// Makes an alert of the armed one. For the body of a transaction.
  func raise(_ alert: Alert, account key: Int) throws(StorageError) {
    try database.run("DELETE FROM armed_alert WHERE account = ?1 AND stopped_at IS NULL", key)
    guard try insertAlert(alert, account: key) else { return }
    try notify(key, .alertSent, detail: alert.message)
    try touch(key)
  }

  func disarm(_ id: Alert.ID) throws(AlertError) {
    let spooled = spool.alert(id)
    // A monitor may have sent it without the store.
    if spooled?.armed.isDue(at: now()) == true { throw .alreadyOn }
    spool.remove(id)
    do throws(AlertError) {
      try write(AlertError.self) {
        let key = try requireCurrentKey()
        let isOn = try database.value(Int.self, "SELECT 1 FROM alert WHERE id = ?1", id) != nil
        if isOn { throw AlertError.alreadyOn }
        let now = now()
        try database.run("DELETE FROM armed_alert WHERE stopped_at < ?1", now - .days(1))
        let isNew = try database.run(
          """
          INSERT INTO armed_alert (id, account, message, armed_at, fires_at, stopped_at)
          VALUES (?1, ?2, '', ?3, ?3, ?3)
          ON CONFLICT (id) DO UPDATE SET stopped_at = ?3, message = ''
          WHERE stopped_at IS NULL AND account = ?2
          """, id, key, now)
        guard isNew > 0 else { return }
        try notify(key, .info, detail: ArmedAlert.stoppedText)
        try touch(key)
      }
    } catch {
      // One that the store never heard of was in its file only.
      let isStored = try? read(StorageError.self) {
        try database.value(Int.self, "SELECT 1 FROM armed_alert WHERE id = ?1", id) != nil
      }
      guard spooled != nil, case .storage = error, isStored == false else { throw error }
    }
  }

  func observedArmed() throws(AlertError) -> ArmedAlert? {
    try read(AlertError.self) { try armedAlert(of: requireCurrentKey()) }
  }

  func armedAlert(of key: Int) throws(StorageError) -> ArmedAlert? {
    try armedAlerts(of: [key].json)[key]?.first
  }

  /// By the keys of their accounts.
  func armedAlerts(of list: String) throws(StorageError) -> [Int: [ArmedAlert]] {
    try database.grouped(
      """
      SELECT armed_alert.account, armed_alert.id, message, armed_at, fires_at
      FROM json_each(?1) AS listed CROSS JOIN armed_alert ON account = listed.value
      WHERE stopped_at IS NULL
      """, list
    ) { row throws(StorageError) in
      ArmedAlert(
        id: try row.read(), message: try row.read(), armedAt: try row.read(),
        firesAt: try row.read())
    }
  }

  // MARK: Text after sending

  /// The alert of that identity, on or over, or else the one that the person raised and sees as on.
  private func activeOrOwn(_ id: Alert.ID, of key: Int) throws(StorageError) -> Alert? {
    let own = try database.row(
      """
      SELECT \(Alert.columns) FROM alert WHERE id = ?1 AND account = ?2 AND kind = 'manual'
      """, id, key, read: Alert.init(reading:))
    if let own { return own }
    return try activeManualAlert(of: key)
  }

  /// Sends a text to everybody who had the call, once; later calls have it, too.
  private func add(
    _ text: String, to alert: Alert, account key: Int
  ) throws(StorageError) -> Alert {
    guard let message = alert.message(adding: text) else { return alert }
    try database.run("UPDATE alert SET message = ?2 WHERE id = ?1", alert.id, message)
    let stage = Stage.alertNote(UUID(derivedFrom: "\(alert.id) \(message)"))
    let calls = try database.rows(
      """
      SELECT delivery.id, recipient, recipient_name, channel, address
      FROM alert JOIN delivery ON delivery.alert = alert.key
      WHERE alert.id = ?1 AND stage = 'alert_on' AND state <> 'cancelled' ORDER BY delivery.key
      """, alert.id
    ) { row throws(StorageError) in
      let call: UUID = try row.read()
      return PlannedDelivery(
        occasion: .alert(alert.id), stage: stage, recipient: try row.read(),
        recipientName: try row.read(), channel: try row.read(), address: try row.read(),
        inReplyTo: MessageID(delivery: call), detail: text)
    }
    for call in calls { try insert(call, account: key, now: now()) }
    try touch(key)
    try touchPeers(of: key)
    var alert = alert
    alert.message = message
    return alert
  }

  // MARK: The spool

  /// Keeps an armed alert in a file, for whatever account was worked for last.
  func keepInSpool(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) throws(AlertError) -> ArmedAlert {
    let account = try? read(AlertError.self) {
      try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", requireCurrentKey())
    }
    guard let account = account ?? seat.account else { throw .notAuthenticated }
    let now = now().stored
    do throws(StorageError) {
      return try spool.keep(
        SpooledAlert(
          account: account,
          armed: ArmedAlert(
            id: id, message: ProfileRules.shortenedAlertMessage(message), armedAt: now,
            firesAt: now + delay)))
    } catch {
      throw .storage(error)
    }
  }

  func takeSpooled(_ alert: SpooledAlert) throws(StorageError) {
    let isTaken = try write(StorageError.self) {
      let key = try database.value(
        Int.self, "SELECT key FROM account WHERE id = ?1", alert.account)
      guard let key else { return false }
      // What the store has by now may be newer than the file that was read.
      let known = try armedAlert(of: key)
      let isStale = known.map { $0.id == alert.armed.id && $0.firesAt > alert.armed.firesAt }
      if isStale != true { _ = try arm(alert.armed, account: key) }
      return true
    }
    // Another store may have its account, such as one that is to be imported; but not for ever.
    if isTaken || alert.armed.armedAt < now() - .days(1) { spool.remove(alert.armed.id) }
  }
}
