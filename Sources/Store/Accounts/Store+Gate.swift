import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Store {
  // MARK: The gate

  /// A stored gate, which a passphrase is checked against.
  struct GateOnFile: Sendable {
    var account: Int
    var gate: String
    var duress: String?
    /// The gate that the account seems to have since a change under duress: empty if it seems to
    /// have none, `nil` if nothing was changed.
    var seeming: String?
    /// Where wrong passphrases are counted (DUR-2): those of each session and those of people who
    /// hold a link apart, so that none locks another's. Sessions of the last day are also counted
    /// together: who knows the password could open one after the other.
    var places: [GuessPlace]
    /// Until when no passphrase opens it from there; `nil` if it isn't locked.
    var lockEnd: Date?
    var seemsOpen: Bool { seeming == "" }
  }

  /// Returns the gate of an account, or `nil` if it has none.
  /// - Parameter account: The account, for a person who holds a link; `nil` for the signed-in one.
  func gateOnFile(of account: Int? = nil) throws(ClientError) -> GateOnFile? {
    try read {
      let key = try account ?? requireCurrentKey()
      let places =
        account == nil
        ? try placesOfSession(key) : [GuessPlace(name: "gate by link:\(key)")]
      var found = try database.row(
        "SELECT gate, duress, seeming_gate FROM account WHERE key = ?1 AND gate IS NOT NULL", key
      ) { row throws(StorageError) in
        GateOnFile(
          account: key, gate: try row.read(), duress: try row.read(), seeming: try row.read(),
          places: places)
      }
      found?.lockEnd = try lockOfGate(of: key, at: places)
      return found
    }
  }

  func hasAnyGate() throws(ClientError) -> Bool {
    try read {
      try database.value(Int.self, "SELECT 1 FROM account WHERE gate IS NOT NULL LIMIT 1") != nil
    }
  }

  /// A place where wrong passphrases are counted, and how many of them are free.
  struct GuessPlace: Sendable {
    var name: String
    var free = LockOut.freeTries
  }

  private func placesOfSession(_ account: Int) throws -> [GuessPlace] {
    let session = try currentDigest().flatMap { digest throws(StorageError) in
      try database.row(
        "SELECT key, created_at FROM session WHERE token = ?1", digest
      ) { row throws(StorageError) -> (key: Int, createdAt: Date) in
        (try row.read(), try row.read())
      }
    }
    guard let session else { return [GuessPlace(name: "gate:\(account)")] }
    let own = GuessPlace(name: "gate:\(account) session:\(session.key)")
    guard session.createdAt > now() - .days(1) else { return [own] }
    return [
      own, GuessPlace(name: "gate by new sessions:\(account)", free: LockOut.newSessionsTries),
    ]
  }

  /// Returns until when the gate is locked, or `nil`.
  private func lockOfGate(of account: Int, at places: [GuessPlace]) throws -> Date? {
    let user = try user(account)
    // A lock must be short before and after either promise is missed (DUR-2).
    let promises = [user.deadline.date, user.outing?.until].compactMap(\.self)
    let ends = try places.compactMap { place in
      try wrongTries(at: place.name).flatMap { count, last in
        promises.map {
          LockOut.gateEnd(afterWrongTries: count, free: place.free, lastAt: last, deadline: $0)
        }.min()
      }
    }
    return ends.max().flatMap { $0 > now() ? $0 : nil }
  }

  /// Counts a try at a gate, and notifies the responders once the gate locks (DUR-2). While it is
  /// locked, nothing is counted, but the duress passphrase still raises the silent alert.
  /// - Parameter pass: What the passphrase opened, or `nil` if it was wrong.
  func judgeGate(_ pass: GatePass?, of gate: GateOnFile) throws(ClientError) {
    let lockEnd: Date?
    do throws(ClientError) { lockEnd = try count(pass, of: gate) } catch {
      if pass == .duress { spoolSilentAlert(of: gate.account) }
      // A lock holds even if the store can't be written.
      guard let end = gate.lockEnd else { throw error }
      lockEnd = end
    }
    if let lockEnd { throw .gate(.locked(until: lockEnd)) }
    guard pass != nil else { throw .gate(.wrong) }
  }

  /// Counts a try in a transaction. Writes in every case, so that every passphrase takes equally
  /// long.
  /// - Returns: Until when the gate was locked before this try, or `nil`.
  private func count(_ pass: GatePass?, of gate: GateOnFile) throws(ClientError) -> Date? {
    let (account, places) = (gate.account, gate.places)
    return try write(isNoted: false) {
      let lockEnd = try lockOfGate(of: account, at: places)
      if pass == .duress { try raiseSilentAlert(account) }
      if lockEnd != nil {
        // So that this takes as long as an unlocked gate.
        for place in places {
          try database.run("UPDATE wrong_tries SET last_at = last_at WHERE place = ?1", place.name)
        }
      } else if pass != nil {
        for place in places { try forgetWrongTries(at: place.name) }
      } else {
        for place in places { try countWrongTry(at: place.name) }
        if try wrongTries(at: places[0].name)?.count == places[0].free {
          try noticeResponders(of: account, ResponderNotice.locked)
          try touch(account)
        }
      }
      return lockEnd
    }
  }

  /// Passes a gate that was seemingly removed under duress, and raises the silent alert.
  func passUnderDuress(_ account: Int) throws(ClientError) {
    do throws(ClientError) { try write(isNoted: false) { try raiseSilentAlert(account) } } catch {
      spoolSilentAlert(of: account)
      throw error
    }
  }

  func setGate(_ gate: String?, duress: String?, of account: Int) throws(ClientError) {
    try write(.other) {
      try database.run(
        "UPDATE account SET duress = NULL, seeming_gate = NULL, gate = ?2 WHERE key = ?1", account,
        gate)
      try database.run("UPDATE account SET duress = ?2 WHERE key = ?1", account, duress)
      try noteChange(of: account)
    }
  }

  /// Raises a silent alert when a gate is passed, unless one is on (CHK-3). This happens in a
  /// transaction before the request's, because the request may be refused and the alert must be on
  /// all the same. The alert goes to the present responders, whatever the request removes.
  private func raiseSilentAlert(_ account: Int) throws(StorageError) {
    try raiseSilently(Alert(id: makeUUID(), kind: .duress, raisedAt: now()), account: account)
  }

  /// Inserts a silent alert and keeps its responders. Must be called within a transaction.
  func raiseSilently(_ alert: Alert, account: Int) throws(StorageError) {
    try insertAlert(alert, account: account)
    try keepResponders(of: account)
    try touchUnseen(account)
  }

  /// Saves a silent alert in a file when the store can't be written. The person sees the request
  /// refused, as with any passphrase.
  private func spoolSilentAlert(of account: Int) {
    let owner = try? read(StorageError.self) {
      try database.value(
        UUID.self,
        """
        SELECT id FROM account WHERE key = ?1 AND NOT EXISTS (
          SELECT 1 FROM alert WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL)
        """, account)
    }
    guard let owner = owner ?? nil else { return }
    try? spool.keepSilent(makeUUID(), of: owner, at: now())
  }

  // MARK: Under duress

  /// Makes a change of the gate under duress look done: another passphrase, or no gate.
  func pretendToSetGate(_ seeming: String?, of account: Int) throws(ClientError) {
    try write {
      try database.run(
        "UPDATE account SET seeming_gate = ?2 WHERE key = ?1", account, seeming ?? "")
      try noteChange(of: account)
    }
  }

  func silentAlert() throws(ClientError) -> Alert? {
    try read { key in
      let waiting = try waitingSilently(of: key)?.silent
      let stored = try database.row(
        """
        SELECT \(Alert.columns), alert.key FROM alert
        WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL
        """, key
      ) { row throws(StorageError) -> (alert: Alert, key: Int) in
        (try Alert(reading: &row), try row.read())
      }
      guard var stored else { return waiting }
      stored.alert.acknowledgements = try acknowledgements(of: stored.key)
      return stored.alert
    }
  }

  /// Ends a silent alert, and a drill that only seemed to go out (ALT-8). Sends the messages that
  /// only seemed to be sent.
  func endSilentAlert() throws(ClientError) {
    var waiting: SpooledAlert?
    try write { key in
      // The alert may have been sent from its file, without the store.
      waiting = try waitingSilently(of: key)
      if let alert = waiting?.silent { try raiseSilently(alert, account: key) }
      let ended = try database.rowsChanged(
        by: """
          UPDATE alert SET resolved_at = ?2
          WHERE account = ?1 AND resolved_at IS NULL AND kind = 'duress'
          """, key, now())
      try database.run(
        "UPDATE account SET seeming_gate = NULL, hidden_outing = NULL WHERE key = ?1", key)
      if ended > 0 {
        try silenceDrills(of: key, at: now())
        try sendWithheldEnds(of: key)
      }
      try database.run("DELETE FROM kept_channel WHERE account = ?1", key)
      if ended > 0 { try notifyResponders(of: key, .dependentAlertEnded) }
      try noteChange(forPeersOf: key)
      try touch(key)
    }
    if let waiting { spool.remove(waiting) }
  }

  private func waitingSilently(of key: Int) throws(StorageError) -> SpooledAlert? {
    try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
      .flatMap { spool.silent(of: $0) }
  }

  /// Sends the all-clears that only seemed to be sent while a silent alert was on. A message "the
  /// alert is on" that was sent in place of one counts as the silent alert's own, so that the end
  /// of the silent alert is sent to the same address.
  private func sendWithheldEnds(of account: Int) throws(StorageError) {
    let isUnsaid = """
      ending.account = ?1 AND ending.unsaid = 1 AND ending.stage IN ('all_clear', 'alert_off')
        AND ending.alert IN (SELECT key FROM alert WHERE account = ?1 AND kind <> 'drill')
      """
    let isInPlace = """
      call.account = ?1 AND call.stage = 'alert_on' AND call.state <> 'cancelled'
        AND call.alert = (SELECT max(key) FROM alert WHERE account = ?1 AND kind = 'duress')
        AND call.recipient = ending.recipient AND call.channel = ending.channel
        AND call.address = ending.address
      """
    try database.run(
      """
      UPDATE delivery AS call SET state = 'sent', finished_at = ?2
      WHERE account = ?1 AND state <> 'sent' AND EXISTS (
        SELECT 1 FROM delivery AS ending WHERE \(isUnsaid) AND \(isInPlace)
          AND (ending.state = 'sent' OR ending.recorded = 0 OR ending.doubtful = 1))
      """, account, now())
    try database.run(
      """
      UPDATE delivery AS ending SET unsaid = 0
      WHERE \(isUnsaid) AND EXISTS (SELECT 1 FROM delivery AS call WHERE \(isInPlace))
      """, account)
    try database.run(
      """
      UPDATE delivery AS ending SET state = 'pending', planned_at = ?2, not_before = ?2,
        finished_at = NULL, last_error = NULL, token = NULL, leased_until = NULL, unsaid = 0
      WHERE \(isUnsaid) AND state <> 'cancelled'
      """, account, now())
  }
}
