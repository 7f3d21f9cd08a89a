import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Armed alerts, which are raised after a delay unless they are stopped (ALT-7).
extension Store {
  nonisolated func arm(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) async throws(ClientError) -> Arming {
    let armed = armedAlert(id, message, delay)
    let owner = try await spoolOwner()
    // First into a file: the store may be locked for seconds, and the program may not live that
    // long.
    let mayKeep = owner != nil || session.address == nil
    if mayKeep { await spool.perform { _ = try? $0.keep(armed, of: owner) } }
    let result: Result<Arming, ClientError>
    do throws(ClientError) { result = .success(try await store(armed)) } catch {
      result = .failure(error)
      if case .storage = error { throw error }
    }
    await spool.perform { spool in
      switch result {
      case .success(.armed(let armed)) where armed.id == id:
        // The store knows by now whose it is.
        if owner == nil { _ = try? spool.keep(armed, of: spool.owner.id) }
      case .success(.raised(let alert)) where alert.isActive:
        try? spool.keep(alert, of: owner ?? spool.owner.id)
        if alert.id != id { spool.removeArmed(id) }
      case .success, .failure: spool.removeArmed(id)
      }
    }
    return try result.get()
  }

  /// Returns the account that files are written for; `nil` if the store must say later who that is.
  ///
  /// A session of an account by name, or on a network, must ask for it: a file without an account
  /// would be raised for somebody else.
  private nonisolated func spoolOwner() async throws(ClientError) -> User.ID? {
    if session.isRemote { return try await currentUser().id }
    if spool.owner.id == nil, session.address != nil { return try? await currentUser().id }
    return spool.owner.id
  }

  /// Returns an alert that is armed now.
  private nonisolated func armedAlert(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) -> ArmedAlert {
    let now = now().stored
    return ArmedAlert(
      id: id, message: ProfileRules.shortenedAlertMessage(message), armedAt: now,
      firesAt: now + delay)
  }

  private func store(_ armed: ArmedAlert) throws(ClientError) -> Arming {
    try writeTakingFiles(besides: armed.id) { key in
      spool.owner.id = try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
      return try arm(armed, account: key)
    }
  }

  /// Arms an alert, or adds its message to one that is on. Must be called within a transaction.
  private func arm(_ wanted: ArmedAlert, account key: Int) throws -> Arming {
    if let on = try activeOrOwn(wanted.id, of: key) {
      try database.run("DELETE FROM armed_alert WHERE id = ?1", wanted.id)
      // A cancellation that was made before, and arrives later, doesn't mean this call.
      try database.run("UPDATE alert SET asked_at = ?2 WHERE id = ?1", on.id, now())
      return .raised(try add(wanted.message, to: on, account: key))
    }
    let isStopped = try database.value(
      Int.self, "SELECT 1 FROM armed_alert WHERE id = ?1 AND stopped_at IS NOT NULL", wanted.id)
    var known = try armedAlert(of: key)
    let isSame = known?.id == wanted.id
    if let stopped = known, !isSame, spool.isStopped(stopped) {
      // The store hasn't taken over this stop yet; the wanted alert is another one.
      try stop(stopped.id, at: now().stored, account: key)
      known = nil
    }
    guard isStopped == nil, !spool.isStopped(isSame ? known ?? wanted : wanted) else {
      return .stopped
    }
    var armed = wanted
    if let known {
      guard isSame else { return .armed(known) }
      armed = known.changed(to: wanted)
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

  /// Raises an alert in place of the armed one. Must be called within a transaction.
  func raise(_ alert: Alert, account key: Int) throws(StorageError) {
    try database.run("DELETE FROM armed_alert WHERE account = ?1 AND stopped_at IS NULL", key)
    guard try insertAlert(alert, account: key) else { return }
    try notify(key, .alertSent, detail: alert.message)
    try touch(key)
  }

  nonisolated func disarm(_ id: Alert.ID) async throws(ClientError) {
    let (asked, now) = (now().stored, now)
    let owner = try await spoolOwner()
    // First into a file, as when it was armed: it may become due while the store is locked, and the
    // program that raises it then looks for that file.
    let (waiting, isKept, lateAt) = await spool.perform { spool -> (ArmedAlert?, Bool, Date?) in
      let waiting = spool.armed(id)
      guard waiting?.isDue(at: asked) != true else { return (waiting, false, asked) }
      let isKept = (try? spool.stop(id, of: owner, at: asked, dueAt: waiting?.firesAt)) != nil
      // Writing it can take long.
      let keptAt = now()
      guard waiting?.isDue(at: keptAt) != true else { return (waiting, isKept, keptAt) }
      spool.removeArmed(id)
      return (waiting, isKept, nil)
    }
    noteFiles()
    // A monitor may have sent it without the store.
    if waiting?.isDue(at: asked) == true { throw .alertAlreadyOn }
    do throws(ClientError) { try await storeStop(id, at: asked, lateAt) } catch {
      guard case .storage = error else {
        await spool.perform { $0.removeStop(of: id) }
        throw error
      }
      if lateAt != nil {
        // The file came too late for a monitor that works without the store.
        await spool.perform { $0.removeStop(of: id) }
        throw .alertAlreadyOn
      }
      guard !isKept else { return }
      // An alert that never reached the store was only in its file.
      guard waiting != nil, await isUnheardOf(id) else { throw error }
      return
    }
    await spool.perform { spool in
      // First, so that it isn't there without its stop.
      spool.removeArmed(id)
      spool.removeStop(of: id)
    }
  }

  /// - Parameter lateAt: When the stop was in its file, if that was too late for a monitor that works
  ///   without the store. It works so only while the store is locked, so that this waits.
  private func storeStop(_ id: Alert.ID, at asked: Date, _ lateAt: Date?) throws(ClientError) {
    try write {
      if let lateAt, now() > lateAt + 0.2 { throw ClientError.alertAlreadyOn }
      try stop(id, at: asked, account: requireCurrentKey())
    }
  }

  private func isUnheardOf(_ id: Alert.ID) -> Bool {
    let isStored = try? read(StorageError.self) {
      try database.value(Int.self, "SELECT 1 FROM armed_alert WHERE id = ?1", id) != nil
    }
    return isStored == false
  }

  /// Stops an armed alert. Must be called within a transaction.
  private func stop(_ id: Alert.ID, at now: Date, account key: Int) throws {
    let isOn = try database.value(Int.self, "SELECT 1 FROM alert WHERE id = ?1", id) != nil
    if isOn { throw ClientError.alertAlreadyOn }
    try database.run("DELETE FROM armed_alert WHERE stopped_at < ?1", now - .days(1))
    let isNew = try database.rowsChanged(
      by: """
        INSERT INTO armed_alert (id, account, message, armed_at, fires_at, stopped_at)
        VALUES (?1, ?2, '', ?3, ?3, ?3)
        ON CONFLICT (id) DO UPDATE SET stopped_at = ?3, message = ''
        WHERE armed_alert.stopped_at IS NULL AND armed_alert.account = ?2
        """, id, key, now)
    guard isNew > 0 else { return }
    try notify(key, .info, detail: ArmedAlert.stoppedText)
    try touch(key)
  }

  /// Returns the alert that is armed in the store or waits in a file.
  func observedArmed() throws(ClientError) -> ArmedAlert? {
    try read { key in
      let waiting = try waiting(of: key).first
      return (try unstoppedAlert(of: key) ?? waiting).flatMap { spool.isStopped($0) ? nil : $0 }
    }
  }

  /// Returns the alert that is armed in the store, unless a file says that it was stopped.
  func unstoppedAlert(of key: Int) throws(StorageError) -> ArmedAlert? {
    try armedAlert(of: key).flatMap { spool.isStopped($0) ? nil : $0 }
  }

  func armedAlert(of key: Int) throws(StorageError) -> ArmedAlert? {
    try armedAlerts(of: [key].json)[key]?.first
  }

  /// Returns the armed alerts by the keys of their accounts.
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

  /// Returns the alert with an identifier, on or over, or else the manual alert that is on.
  private func activeOrOwn(_ id: Alert.ID, of key: Int) throws(StorageError) -> Alert? {
    let own = try database.row(
      """
      SELECT \(Alert.columns) FROM alert WHERE id = ?1 AND account = ?2 AND kind = 'manual'
      """, id, key, read: Alert.init(reading:))
    if let own { return own }
    return try activeManualAlert(of: key)
  }

  /// Sends a text once to everyone who was sent the call, and adds it to later calls.
  private func add(
    _ text: String, to alert: Alert, account key: Int
  ) throws(StorageError) -> Alert {
    guard let message = alert.message(adding: text) else { return alert }
    try database.run("UPDATE alert SET message = ?2 WHERE id = ?1", alert.id, message)
    let stage = Stage.alertNote(UUID(derivedFrom: "\(alert.id) \(message) \(text)"))
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
    try noteChange(forPeersOf: key)
    var alert = alert
    alert.message = message
    return alert
  }

  // MARK: The spool

  /// Saves an armed alert in a file, for the account that the program worked for last.
  nonisolated func keepInSpool(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) async throws(ClientError) -> ArmedAlert {
    let armed = armedAlert(id, message, delay)
    var account = spool.owner.id
    if account == nil { account = try? await currentUser().id }
    // Without an account, the file could be raised for somebody else: the program was started for
    // an account by name, or the session is remote.
    guard account != nil || session.address == nil && !session.isRemote else {
      throw .notAuthenticated
    }
    let result = await spool.perform { [account] spool in
      Result { () throws(StorageError) in try spool.keep(armed, of: account) }
    }
    noteFiles()
    do throws(StorageError) { return try result.get() } catch { throw .storage(error) }
  }

  /// Returns what waits in files and the store doesn't know, with its account where that is known
  /// by now. Deletes the files of alerts that are over.
  nonisolated func spooled() async -> [SpooledAlert] {
    let alerts = await spool.perform { $0.alerts() }
    // A store that is gone later can't say who it is for.
    let isOwnerUnknown = spool.owner.id == nil && !session.isRemote
    return alerts.isEmpty && !isOwnerUnknown ? [] : await unknown(alerts)
  }

  private func unknown(_ alerts: [SpooledAlert]) -> [SpooledAlert] {
    if let user = try? look({ try localUser() }) { spool.owner.id = user }
    var alerts = alerts
    // What can't be read is as good as unknown.
    if let known = try? look({ try known(alerts) }) {
      for alert in alerts where known.over.contains(alert.id) { spool.remove(alert) }
      alerts.removeAll { known.over.contains($0.id) || known.on.contains($0) }
    }
    for index in alerts.indices { alerts[index].account = alerts[index].account ?? spool.owner.id }
    return alerts
  }

  /// Returns an armed alert as it is now, or `nil` if the person has stopped it. The files are asked
  /// first: a stop moves from there to the store.
  nonisolated func present(_ armed: ArmedAlert) async -> ArmedAlert? {
    guard let armed = await spool.perform({ $0.present(armed) }) else { return nil }
    return await isStopped(armed.id) ? nil : armed
  }

  private func isStopped(_ id: Alert.ID) -> Bool {
    let isStopped = try? look {
      try database.value(
        Bool.self, "SELECT stopped_at IS NOT NULL FROM armed_alert WHERE id = ?1", id)
    }
    return isStopped == true
  }

  /// Returns which of the alerts in files the store has, and the identifiers of those that are over.
  private func known(
    _ alerts: [SpooledAlert]
  ) throws(StorageError) -> (on: [SpooledAlert], over: Set<Alert.ID>) {
    var on: [SpooledAlert] = []
    var over: Set<Alert.ID> = []
    for case .armed(let armed, let account) in alerts {
      let isOver = try database.value(
        Bool.self,
        """
        SELECT resolved_at IS NOT NULL FROM alert WHERE id = ?1
        UNION ALL SELECT stopped_at IS NOT NULL FROM armed_alert
        WHERE id = ?1 AND (stopped_at IS NOT NULL OR fires_at >= ?2)
        """, armed.id, armed.firesAt)
      switch isOver {
      case true?: over.insert(armed.id)
      case false?: on.append(.armed(armed, account: account))
      case nil: break
      }
    }
    return (on, over)
  }

  /// Makes observers notice at once the files that this process has written.
  nonisolated private func noteFiles() {
    lane.executor.perform(.idle) { [lane] in lane.pollSpool() }
  }

  private func localUser() throws(StorageError) -> User.ID? {
    try localKey().flatMap { (key) throws(StorageError) in
      try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
    }
  }

  func takeSpooled(_ alert: SpooledAlert) throws(StorageError) {
    var isOn = false
    let isTaken = try write(StorageError.self) {
      let key =
        if let account = alert.account {
          try database.value(Int.self, "SELECT key FROM account WHERE id = ?1", account)
        } else {
          try key(knowing: alert.id) ?? localKey()
        }
      guard let key else { return false }
      try take(alert, account: key)
      isOn = try known([alert]).on == [alert]
      return true
    }
    // Its account may be in another store, such as one that isn't imported yet. The file is kept
    // for a day.
    if isTaken ? !isOn : alert.date < now() - .days(1) { spool.remove(alert) }
  }

  /// Takes over an alert from a file. Must be called within a transaction.
  private func take(_ alert: SpooledAlert, account key: Int) throws {
    let known = try armedAlert(of: key).flatMap { $0.id == alert.id ? $0 : nil }
    switch alert {
    case .armed(let read, _):
      // The file may have changed while this waited for the store.
      guard var armed = spool.present(read) else { return }
      // The store's version may be newer than the file that was read.
      guard known.map({ $0.firesAt > armed.firesAt }) != true else { return }
      if let counted = try unstoppedAlert(of: key), counted.id != armed.id {
        armed = counted.joined(with: armed)
        // Its own file, which stays until it is over, would bring back its former text and instant.
        if spool.armed(counted.id) != nil {
          let owner = try database.value(
            UUID.self, "SELECT id FROM account WHERE key = ?1", key)
          spool.removeArmed(counted.id)
          _ = try? spool.keep(armed, of: owner)
        }
      }
      _ = try arm(armed, account: key)
    case .silent(let id, let date, _):
      try raiseSilently(Alert(id: id, kind: .duress, raisedAt: date), account: key)
    case .stopped(let id, let date, _, _):
      guard known.map(alert.stops) != false else { return }
      do { try stop(id, at: date, account: key) } catch ClientError.alertAlreadyOn {
        // Raised in time all the same; the person sees it.
      }
    }
  }

  /// Takes over the files that wait for the account, then runs the body in the same transaction.
  /// The files are older, and part of what the person wants (ALT-7).
  func writeTakingFiles<Value>(
    besides id: Alert.ID? = nil, if isWanted: (_ account: Int) throws -> Bool = { _ in true },
    _ body: (_ account: Int) throws -> Value
  ) throws(ClientError) -> Value {
    var taken: [ArmedAlert] = []
    let value = try write { key in
      taken = try isWanted(key) ? waiting(of: key).filter { $0.id != id } : []
      for armed in taken { try take(.armed(armed, account: nil), account: key) }
      return try body(key)
    }
    for armed in taken { spool.remove(.armed(armed, account: nil)) }
    return value
  }

  /// Returns the alerts of an account that wait in files and that the store doesn't know.
  func waiting(of key: Int) throws(StorageError) -> [ArmedAlert] {
    let waiting = spool.alerts().filter { $0.armed != nil }
    guard !waiting.isEmpty else { return [] }
    let account = try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
    let (on, over) = try known(waiting)
    return waiting.filter { $0.account == account || $0.account == nil && !session.isRemote }
      .filter { !on.contains($0) && !over.contains($0.id) }.compactMap(\.armed)
  }

  /// Returns the account that an alert is known of, armed, stopped or on.
  private func key(knowing alert: Alert.ID) throws(StorageError) -> Int? {
    try database.value(
      Int.self,
      """
      SELECT account FROM armed_alert WHERE id = ?1
      UNION ALL SELECT account FROM alert WHERE id = ?1 LIMIT 1
      """, alert)
  }

  /// Returns the account that the store is for: the signed-in one, or else the first.
  private func localKey() throws(StorageError) -> Int? {
    if let key = try currentKey() { return key }
    return try database.value(
      Int.self, "SELECT key FROM account WHERE deleted_at IS NULL ORDER BY key LIMIT 1")
  }
}
