import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Store {
  // MARK: The gate

  /// What a passphrase is checked against; `nil` where there is no gate.
  struct GateOnFile: Sendable {
    var account: Int
    var gate: String
    var duress: String?
    /// What the gate seems to be since it was changed under duress, empty for none; `nil` where it
    /// is what it seems.
    var seeming: String?
    /// Until when no passphrase opens it; `nil` for none.
    var lockEnd: Date?
    var seemsOpen: Bool { seeming == "" }
  }

  /// - Parameter account: `nil` for the one that is signed in.
  func gateOnFile(of account: Int? = nil) throws(ClientError) -> GateOnFile? {
    try read {
      let key = try account ?? requireCurrentKey()
      var found = try database.row(
        "SELECT gate, duress, seeming_gate FROM account WHERE key = ?1 AND gate IS NOT NULL", key
      ) { row throws(StorageError) in
        GateOnFile(
          account: key, gate: try row.read(), duress: try row.read(), seeming: try row.read())
      }
      found?.lockEnd = try lockOfGate(of: key)
      return found
    }
  }

  func hasAnyGate() throws(ClientError) -> Bool {
    try read {
      try database.value(Int.self, "SELECT 1 FROM account WHERE gate IS NOT NULL LIMIT 1") != nil
    }
  }

  /// Until when the gate is locked, or `nil`.
  private func lockOfGate(of account: Int) throws -> Date? {
    guard let (count, last) = try wrongTries(at: Self.place(account)) else { return nil }
    let end = LockOut.gateEnd(
      afterWrongTries: count, lastAt: last, deadline: try user(account).deadline.date)
    return end > now() ? end : nil
  }

  /// Counts a try at a gate. Once it locks, the responders are notified (DUR-2). While it is locked
  /// nothing counts, and the duress passphrase raises the silent alert all the same.
  /// - Parameter pass: What it opened, or `nil` for nothing.
  func judgeGate(_ pass: GatePass?, of gate: GateOnFile) throws(ClientError) {
    let lockEnd: Date?
    do throws(ClientError) { lockEnd = try count(pass, of: gate.account) } catch {
      if pass == .duress { spoolSilentAlert(of: gate.account) }
      // A lock holds where nothing can be written.
      guard let end = gate.lockEnd else { throw error }
      lockEnd = end
    }
    if let lockEnd { throw .gate(.locked(until: lockEnd)) }
    guard pass != nil else { throw .gate(.wrong) }
  }

  /// - Returns: Until when the gate was locked, or `nil`.
  private func count(_ pass: GatePass?, of account: Int) throws(ClientError) -> Date? {
    try write(isNoted: false) {
      let place = Self.place(account)
      let lockEnd = try lockOfGate(of: account)
      if pass == .duress { try raiseSilentAlert(account) }
      if lockEnd != nil {
        // Written as well, so that no passphrase takes another time.
        try database.run("UPDATE wrong_tries SET last_at = last_at WHERE place = ?1", place)
      } else if pass != nil {
        try forgetWrongTries(at: place)
      } else {
        try countWrongTry(at: place)
        if try wrongTries(at: place)?.count == LockOut.freeTries {
          try noticeResponders(of: account, ResponderNotice.locked)
          try touch(account)
        }
      }
      return lockEnd
    }
  }

  /// What passes a gate that seems to be gone.
  func passUnderDuress(_ account: Int) throws(ClientError) {
    do throws(ClientError) { try write(isNoted: false) { try raiseSilentAlert(account) } } catch {
      spoolSilentAlert(of: account)
      throw error
    }
  }

  private static func place(_ account: Int) -> String { "gate:\(account)" }

  func setGate(_ gate: String?, duress: String?, of account: Int) throws(ClientError) {
    try write(.other) {
      try database.run(
        "UPDATE account SET duress = NULL, seeming_gate = NULL, gate = ?2 WHERE key = ?1", account,
        gate)
      try database.run("UPDATE account SET duress = ?2 WHERE key = ?1", account, duress)
      try noteChange(of: account)
    }
  }

  /// Raises a silent alert, unless one is on (CHK-3). In a transaction of its own, when a gate is
  /// passed: what the person then asks for may be refused, and the alert is to be on all the same. It
  /// goes to the responders as they are now, whatever the request takes away.
  private func raiseSilentAlert(_ account: Int) throws(StorageError) {
    try raiseSilently(Alert(id: makeUUID(), kind: .duress, raisedAt: now()), account: account)
  }

  /// For the body of a transaction.
  func raiseSilently(_ alert: Alert, account: Int) throws(StorageError) {
    try insertAlert(alert, account: account)
    try keepResponders(of: account)
    try touch(account)
  }

  /// Keeps a silent alert in a file where the store refuses it. To the person the request is refused, as
  /// with every passphrase.
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

  /// What somebody under duress sees as done: a gate with another passphrase, or none.
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

  /// Ends what went on behind the screen, and a drill that only seemed to go out (ALT-8). What only
  /// seemed to be said is said now.
  func endSilentAlert() throws(ClientError) {
    var waiting: SpooledAlert?
    try write { key in
      // It may have been sent without the store.
      waiting = try waitingSilently(of: key)
      if let alert = waiting?.silent { try raiseSilently(alert, account: key) }
      let ended = try database.rowsChanged(
        by: """
          UPDATE alert SET resolved_at = ?2
          WHERE account = ?1 AND resolved_at IS NULL AND kind = 'duress'
          """, key, now())
      try database.run("UPDATE account SET seeming_gate = NULL WHERE key = ?1", key)
      if ended > 0 {
        try silenceDrills(of: key, at: now())
        try sayWhatWasUnsaid(of: key)
      }
      try database.run("DELETE FROM kept_channel WHERE account = ?1", key)
      if ended > 0 { try tellResponders(of: key, .dependentAlertEnded) }
      try noteChange(forPeersOf: key)
      try touch(key)
    }
    if let waiting { spool.remove(waiting) }
  }

  private func waitingSilently(of key: Int) throws(StorageError) -> SpooledAlert? {
    try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
      .flatMap { spool.silent(of: $0) }
  }

  /// Sends the ends that only seemed to be sent while a silent alert was on. Where one was said to be on
  /// in place of an end, that counts as its call, so that its end is said there.
  private func sayWhatWasUnsaid(of account: Int) throws(StorageError) {
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
