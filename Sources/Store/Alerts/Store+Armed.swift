import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Alerts that were begun (ALT-7).
extension Store {
  nonisolated func arm(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) async throws(ClientError) -> Arming {
    let armed = armedAlert(id, message, delay)
    let owner = try await spoolOwner()
    // First into its file: the store may be locked for seconds, and the program may not live as long.
    await spool.perform { _ = try? $0.keep(armed, of: owner) }
    let result: Result<Arming, ClientError>
    do throws(ClientError) { result = .success(try await store(armed)) } catch {
      result = .failure(error)
      if case .storage = error { throw error }
    }
    await spool.perform { $0.removeArmed(id) }
    return try result.get()
  }

  /// The account that files are written for. A session from elsewhere has to be asked: what a server keeps
  /// without an account would be raised for somebody else.
  private nonisolated func spoolOwner() async throws(ClientError) -> User.ID? {
    session.isRemote ? try await currentUser().id : spool.owner.id
  }

  /// An alert that is armed now.
  private nonisolated func armedAlert(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) -> ArmedAlert {
    let now = now().stored
    return ArmedAlert(
      id: id, message: ProfileRules.shortenedAlertMessage(message), armedAt: now,
      firesAt: now + delay)
  }

  private func store(_ armed: ArmedAlert) throws(ClientError) -> Arming {
    try writeTakingFiles(besides: armed.id) { key in try arm(armed, account: key) }
  }

  /// For the body of a transaction.
  private func arm(_ wanted: ArmedAlert, account key: Int) throws -> Arming {
    if let on = try activeOrOwn(wanted.id, of: key) {
      try database.run("DELETE FROM armed_alert WHERE id = ?1", wanted.id)
      return .raised(try add(wanted.message, to: on, account: key))
    }
    let isStopped = try database.value(
      Int.self, "SELECT 1 FROM armed_alert WHERE id = ?1 AND stopped_at IS NOT NULL", wanted.id)
    var known = try armedAlert(of: key)
    let isSame = known?.id == wanted.id
    if let stopped = known, !isSame, spool.isStopped(stopped) {
      // The store has yet to hear of it; what is begun now is another one.
      try stop(stopped.id, at: now().stored, account: key)
      known = nil
    }
    guard isStopped == nil, !spool.isStopped(isSame ? known ?? wanted : wanted) else {
      return .stopped
    }
    var armed = wanted
    if let known {
      guard isSame else { return .armed(known) }
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

  nonisolated func disarm(_ id: Alert.ID) async throws(ClientError) {
    let now = now().stored
    let owner = try await spoolOwner()
    // First into a file, as when it was armed: its instant may pass while the store is locked, and
    // what raises it then looks there.
    let (waiting, isKept) = await spool.perform { spool -> (ArmedAlert?, Bool) in
      let waiting = spool.armed(id)
      guard waiting?.isDue(at: now) != true else { return (waiting, false) }
      let isKept = (try? spool.stop(id, of: owner, at: now)) != nil
      spool.removeArmed(id)
      return (waiting, isKept)
    }
    noteFiles()
    // A monitor may have sent it without the store.
    if waiting?.isDue(at: now) == true { throw .alertAlreadyOn }
    do throws(ClientError) { try await storeStop(id, at: now) } catch {
      guard case .storage = error else {
        await spool.perform { $0.removeStop(of: id) }
        throw error
      }
      guard !isKept else { return }
      // One that the store never heard of was in its file only.
      guard waiting != nil, await isUnheardOf(id) else { throw error }
      return
    }
    await spool.perform { $0.removeStop(of: id) }
  }

  private func storeStop(_ id: Alert.ID, at now: Date) throws(ClientError) {
    try write { try stop(id, at: now, account: requireCurrentKey()) }
  }

  private func isUnheardOf(_ id: Alert.ID) -> Bool {
    let isStored = try? read(StorageError.self) {
      try database.value(Int.self, "SELECT 1 FROM armed_alert WHERE id = ?1", id) != nil
    }
    return isStored == false
  }

  /// For the body of a transaction.
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

  /// What is armed in the store or waits in a file.
  func observedArmed() throws(ClientError) -> ArmedAlert? {
    try read { key in
      let waiting = try waiting(of: key).first
      return (try unstoppedAlert(of: key) ?? waiting).flatMap { spool.isStopped($0) ? nil : $0 }
    }
  }

  /// What is armed in the store and was not stopped in a file.
  func unstoppedAlert(of key: Int) throws(StorageError) -> ArmedAlert? {
    try armedAlert(of: key).flatMap { spool.isStopped($0) ? nil : $0 }
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

  /// Keeps an armed alert in a file, for whatever account was worked for last.
  nonisolated func keepInSpool(
    _ id: Alert.ID, _ message: String, _ delay: TimeSpan
  ) async throws(ClientError) -> ArmedAlert {
    let armed = armedAlert(id, message, delay)
    var account = spool.owner.id
    if account == nil { account = try? await currentUser().id }
    // Nobody else's alert is raised for one the program was asked to work for by name, or from elsewhere.
    guard account != nil || session.address == nil && !session.isRemote else {
      throw .notAuthenticated
    }
    let result = await spool.perform { [account] spool in
      Result { () throws(StorageError) in try spool.keep(armed, of: account) }
    }
    noteFiles()
    do throws(StorageError) { return try result.get() } catch { throw .storage(error) }
  }

  /// What waits in files, with whose it is where that is known by now.
  nonisolated func spooled() async -> [SpooledAlert] {
    var alerts = await spool.perform { $0.alerts() }
    guard alerts.contains(where: { $0.account == nil }) else { return alerts }
    let user = await localUser()
    for index in alerts.indices { alerts[index].account = alerts[index].account ?? user }
    return alerts
  }

  /// Tells those who observe at once of files that this process has written.
  nonisolated private func noteFiles() {
    lane.executor.perform(.idle) { [lane] in lane.pollSpool() }
  }

  private func localUser() -> User.ID? {
    let user = try? read(StorageError.self) {
      try localKey().flatMap {
        try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", $0)
      }
    }
    return user ?? nil
  }

  func takeSpooled(_ alert: SpooledAlert) throws(StorageError) {
    let isTaken = try write(StorageError.self) {
      let key =
        if let account = alert.account {
          try database.value(Int.self, "SELECT key FROM account WHERE id = ?1", account)
        } else {
          try localKey()
        }
      guard let key else { return false }
      try take(alert, account: key)
      return true
    }
    // Another store may have its account, such as one that is to be imported; but not for ever.
    if isTaken || alert.date < now() - .days(1) { spool.remove(alert) }
  }

  /// For the body of a transaction.
  private func take(_ alert: SpooledAlert, account key: Int) throws {
    let known = try armedAlert(of: key).flatMap { $0.id == alert.id ? $0 : nil }
    switch alert {
    case .armed(let armed, _):
      // What the store has by now may be newer than the file that was read.
      guard known.map({ $0.firesAt > armed.firesAt }) != true else { return }
      _ = try arm(unstoppedAlert(of: key)?.joined(with: armed) ?? armed, account: key)
    case .silent(let id, let date, _):
      try raiseSilently(Alert(id: id, kind: .duress, raisedAt: date), account: key)
    case .stopped(let id, let date, _):
      guard known?.isDue(at: date) != true else { return }
      do { try stop(id, at: date, account: key) } catch ClientError.alertAlreadyOn {
        // Raised in time all the same; the person sees it.
      }
    }
  }

  /// Runs the body in a transaction for the account, and takes what waits in its files before that: it
  /// is older, and what its person means (ALT-7).
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

  private func waiting(of key: Int) throws(StorageError) -> [ArmedAlert] {
    let waiting = spool.alerts()
    guard !waiting.isEmpty else { return [] }
    let account = try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
    return waiting.filter { $0.account == account || $0.account == nil && !session.isRemote }
      .compactMap(\.armed)
  }

  /// The person the store is for: the one who is signed in, or else the first who has an account.
  private func localKey() throws(StorageError) -> Int? {
    if let key = try currentKey() { return key }
    return try database.value(
      Int.self, "SELECT key FROM account WHERE deleted_at IS NULL ORDER BY key LIMIT 1")
  }
}
