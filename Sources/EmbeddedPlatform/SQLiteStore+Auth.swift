import Clients
import Cryptography
import Domain
import FoundationEssentials

extension SQLiteStore {
  // MARK: Who is here

  func authState() throws(AuthError) -> AuthState {
    try read(AuthError.self) {
      if let id = try currentKey().flatMap({
        try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", $0)
      }) {
        return .signedIn(id)
      }
      let isThereAny =
        try database.value(
          Int.self, "SELECT 1 FROM account WHERE deleted_at IS NULL LIMIT 1") != nil
      return isThereAny ? .signedOut : .newcomer
    }
  }

  /// The key of the signed-in account, or `nil`: that of a session that runs, or of an account that
  /// needs no password where nobody has signed in.
  func currentKey() throws(StorageError) -> Int? {
    switch try seatToken() {
    case .signedOut, .unread: nil
    case .session(let token):
      try database.value(
        Int.self, "SELECT account FROM session WHERE token = ?1 AND expires_at > ?2",
        SecureToken(text: token).digest, now())
    case .none:
      try database.value(
        Int.self,
        """
        SELECT key FROM account WHERE password IS NULL
          AND iif(?1 IS NULL, is_local = 1, email = ?1 COLLATE NOCASE)
        """, seat.address)
    }
  }

  /// The key of the signed-in account.
  func requireCurrentKey() throws -> Int {
    guard let key = try currentKey() else { throw NoAccount() }
    return key
  }

  private func seatToken() throws(StorageError) -> Seat.Token {
    if seat.token == .unread {
      do throws(KeychainError) {
        seat.token = try secrets.get(seat.tokenName).map(Seat.Token.session) ?? .none
      } catch {
        throw .permissionDenied(error.errorDescription)
      }
    }
    return seat.token
  }

  private func storedToken() throws(AuthError) -> Seat.Token {
    do { return try seatToken() } catch { throw .storage(error) }
  }

  // MARK: Sessions

  /// Notes that the session is in use, which prolongs it.
  func useSession() throws(AuthError) {
    guard case .session(let token) = try storedToken() else { return }
    let now = now()
    try write(AuthError.self, .other) {
      try database.run(
        """
        UPDATE session SET last_used_at = ?2, expires_at = ?3
        WHERE token = ?1 AND expires_at > ?2 AND last_used_at < ?4
        """, SecureToken(text: token).digest, now, now + Session.lifetime, now - .minutes(1))
      return ()
    }
  }

  /// Begins a session of this program for an account.
  func beginSession(_ account: Int) throws(AuthError) {
    let token = SecureToken()
    // First the keychain: a token that no session knows opens nothing.
    do throws(KeychainError) { try secrets.set(seat.tokenName, token.text) } catch {
      throw .keychain(error)
    }
    try write(AuthError.self, .other) {
      let now = now()
      try database.run("DELETE FROM session WHERE expires_at <= ?1", now)
      try database.run(
        """
        INSERT INTO session (account, id, token, device, created_at, last_used_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)
        """, account, makeUUID(), token.digest, seat.device, now, now + Session.lifetime)
      return ()
    }
    seat.token = .session(token.text)
    signal(.other)
  }

  func signOut() throws(AuthError) {
    if case .session(let token) = try storedToken() {
      try write(AuthError.self, .other) {
        try database.run("DELETE FROM session WHERE token = ?1", SecureToken(text: token).digest)
        return ()
      }
    }
    do throws(KeychainError) { try secrets.set(seat.tokenName, nil) } catch {
      throw .keychain(error)
    }
    seat.token = .signedOut
    signal(.other)
  }

  func sessions() throws(AuthError) -> [Session] {
    try read(AuthError.self) {
      let current = try currentDigest()
      return try database.rows(
        """
        SELECT id, device, created_at, last_used_at, token FROM session
        WHERE account = ?1 AND expires_at > ?2 ORDER BY last_used_at DESC, key DESC
        """, requireCurrentKey(), now()
      ) { row throws(StorageError) in
        Session(
          id: try row.read(), device: try row.read(), createdAt: try row.read(),
          lastUsedAt: try row.read(), isCurrent: try row.read(String.self) == current)
      }
    }
  }

  func revokeSession(_ id: Session.ID) throws(AuthError) {
    try write(AuthError.self, .other) {
      try database.run(
        "DELETE FROM session WHERE id = ?1 AND account = ?2", id, requireCurrentKey())
      return ()
    }
  }

  func revokeOtherSessions() throws(AuthError) {
    try write(AuthError.self, .other) { try endSessions(of: requireCurrentKey()) }
  }

  /// Ends every session of an account but this program's own.
  func endSessions(of account: Int) throws(StorageError) {
    try database.run(
      "DELETE FROM session WHERE account = ?1 AND token <> ?2", account,
      currentDigest() ?? "")
  }

  private func currentDigest() throws(StorageError) -> String? {
    guard case .session(let token) = try seatToken() else { return nil }
    return SecureToken(text: token).digest
  }

  // MARK: Wrong tries

  /// Until when tries at a place do not count (AUTH-3), or `nil`.
  func lock(at place: String) throws(StorageError) -> Date? {
    let tries = try database.row(
      "SELECT count, last_at FROM wrong_tries WHERE place = ?1", place
    ) { row throws(StorageError) -> (Int, Date) in (try row.read(), try row.read()) }
    guard let (count, last) = tries else { return nil }
    let end = last + LockOut.pause(afterWrongTries: count)
    return end > now() ? end : nil
  }

  /// Counts a wrong try; those of yesterday are forgotten.
  func countWrongTry(at place: String) throws(StorageError) {
    let now = now()
    try database.run("DELETE FROM wrong_tries WHERE last_at < ?1", now - .days(1))
    try database.run(
      """
      INSERT INTO wrong_tries (place, count, last_at) VALUES (?1, 1, ?2)
      ON CONFLICT (place) DO UPDATE SET count = count + 1, last_at = ?2
      """, place, now)
  }

  func forgetWrongTries(at place: String) throws(StorageError) {
    try database.run("DELETE FROM wrong_tries WHERE place = ?1", place)
  }

  // MARK: Passwords

  /// What a password is checked against.
  struct PasswordOnFile {
    var account: Int?
    var hash: String?
    /// An account that was opened without a password opens with an empty one.
    var needsNone: Bool { account != nil && hash == nil }
  }

  func passwordOnFile(email: String) throws(AuthError) -> PasswordOnFile {
    try read(AuthError.self) {
      if let end = try lock(at: Self.place(email)) { throw AuthError.tooManyAttempts(until: end) }
      return try database.row(
        "SELECT key, password FROM account WHERE email = ?1 COLLATE NOCASE", email
      ) { row throws(StorageError) in
        PasswordOnFile(account: try row.read(), hash: try row.read())
      } ?? PasswordOnFile()
    }
  }

  /// Counts a try at an address, right or wrong.
  /// - Throws: ``AuthError/invalidCredentials`` for a wrong one; nothing counts while it is locked.
  func judge(_ isRight: Bool, email: String) throws(AuthError) {
    let isCounted = try write(AuthError.self, .other) {
      if let end = try lock(at: Self.place(email)) { throw AuthError.tooManyAttempts(until: end) }
      if isRight {
        try forgetWrongTries(at: Self.place(email))
      } else {
        try countWrongTry(at: Self.place(email))
      }
      return isRight
    }
    guard isCounted else { throw .invalidCredentials }
  }

  private static func place(_ email: String) -> String { "sign-in:" + email.lowercased() }

  func isEmailFree(_ email: String) throws(AuthError) -> Bool {
    try read(AuthError.self) {
      try database.value(
        Int.self, "SELECT 1 FROM account WHERE email = ?1 COLLATE NOCASE", email) == nil
    }
  }

  /// The signed-in account as its password sees it.
  func ownPassword() throws(AuthError) -> (
    account: Int, email: String?, hash: String?, isFirst: Bool
  ) {
    try read(AuthError.self) {
      let key = try requireCurrentKey()
      let found = try database.row(
        "SELECT email, password, is_local FROM account WHERE key = ?1", key
      ) { row throws(StorageError) -> (String?, String?, Bool) in
        (try row.read(), try row.read(), try row.read())
      }
      guard let (email, hash, isFirst) = found else { throw NoAccount() }
      return (key, email, hash, isFirst)
    }
  }

  func setPassword(_ hash: String?, of account: Int) throws(AuthError) {
    try write(AuthError.self, .other) {
      try database.run("UPDATE account SET password = ?2 WHERE key = ?1", account, hash)
      try database.run("DELETE FROM password_reset WHERE account = ?1", account)
      try endSessions(of: account)
      try database.run("UPDATE account SET revision = revision + 1 WHERE key = ?1", account)
      return ()
    }
  }

  // MARK: The gate

  /// What a passphrase is checked against; `nil` where there is no gate.
  struct GateOnFile: Sendable {
    var account: Int
    var gate: String
    var duress: String?
    /// What the gate seems to be since it was changed under duress, empty for none; `nil` where it
    /// is what it seems.
    var seeming: String?
    var seemsOpen: Bool { seeming == "" }
  }

  func gateOnFile() throws -> GateOnFile? {
    try read(AuthError.self) {
      let key = try requireCurrentKey()
      let found = try database.row(
        "SELECT gate, duress, seeming_gate FROM account WHERE key = ?1 AND gate IS NOT NULL", key
      ) { row throws(StorageError) in
        GateOnFile(
          account: key, gate: try row.read(), duress: try row.read(), seeming: try row.read())
      }
      if let found, !found.seemsOpen, let end = try lock(at: Self.place(found.account)) {
        throw AuthError.gate(.locked(until: end))
      }
      return found
    }
  }

  /// Counts a try at a gate.
  func judgeGate(_ isRight: Bool, of account: Int) throws(AuthError) {
    try write(AuthError.self, .other) {
      if let end = try lock(at: Self.place(account)) {
        throw AuthError.gate(.locked(until: end))
      }
      if isRight {
        try forgetWrongTries(at: Self.place(account))
      } else {
        try countWrongTry(at: Self.place(account))
      }
      return ()
    }
    guard isRight else { throw .gate(.wrong) }
  }

  private static func place(_ account: Int) -> String { "gate:\(account)" }

  func setGate(_ gate: String?, duress: String?, of account: Int) throws(AuthError) {
    try write(AuthError.self, .other) {
      try database.run(
        "UPDATE account SET duress = NULL, seeming_gate = NULL, gate = ?2 WHERE key = ?1", account,
        gate)
      try database.run("UPDATE account SET duress = ?2 WHERE key = ?1", account, duress)
      try database.run("UPDATE account SET revision = revision + 1 WHERE key = ?1", account)
      return ()
    }
  }

  /// Raises a silent alert, unless one is on (CHK-3).
  func raiseSilentAlert(_ account: Int) throws(StorageError) {
    try insertAlert(
      Alert(id: makeUUID(), kind: .duress, raisedAt: now()), account: account)
    try touch(account)
  }
}

extension SQLiteStore {
  // MARK: Under duress

  /// What somebody under duress sees as done: a gate with another passphrase, or none.
  func pretendToSetGate(_ seeming: String?, of account: Int) throws(AuthError) {
    try write(AuthError.self) {
      try raiseSilentAlert(account)
      try database.run(
        "UPDATE account SET seeming_gate = ?2 WHERE key = ?1", account, seeming ?? "")
    }
  }

  func silentAlert() throws(AuthError) -> Alert? {
    try read(AuthError.self) {
      try database.row(
        """
        SELECT \(Alert.columns) FROM alert
        WHERE account = ?1 AND kind = 'duress' AND resolved_at IS NULL
        """, requireCurrentKey(), read: Alert.init(reading:))
    }
  }

  /// Ends what went on behind the screen.
  func endSilentAlert() throws(AuthError) {
    try write(AuthError.self) {
      let key = try requireCurrentKey()
      let ended = try database.run(
        """
        UPDATE alert SET resolved_at = ?2
        WHERE account = ?1 AND resolved_at IS NULL
          AND (kind = 'duress' OR concealed_at IS NOT NULL)
        """, key, now())
      try database.run("UPDATE account SET seeming_gate = NULL WHERE key = ?1", key)
      if ended > 0 { try tellResponders(of: key, .dependentAlertEnded) }
      try touchPeers(of: key)
      try touch(key)
    }
  }

  // MARK: Forgotten passwords

  /// Has a code mailed to the address, if somebody signs in with it.
  func sendPasswordReset(_ email: String) throws(AuthError) {
    try write(AuthError.self) {
      let email = try ProfileRules.email(email)
      let found = try database.row(
        "SELECT key, name, email FROM account WHERE email = ?1 COLLATE NOCASE", email
      ) { row throws(StorageError) -> (Int, String, String) in
        (try row.read(), try row.read(), try row.read())
      }
      guard let (key, name, address) = found else { return }
      let code = SecureToken().shortCode
      try database.run(
        """
        INSERT INTO password_reset (account, code, expires_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (account) DO UPDATE SET code = ?2, expires_at = ?3
        """, key, SecureToken(text: code).digest, now() + .hours(1))
      try database.run(
        "DELETE FROM delivery WHERE account = ?1 AND stage = ?2", key, Stage.passwordReset)
      try insert(
        PlannedDelivery(
          occasion: .account, stage: .passwordReset, recipient: .owner, recipientName: name,
          channel: .email, address: address, detail: code),
        account: key, now: now())
      try touch(key)
    }
  }

  /// Sets a new password where the code is the one that was mailed.
  func finishPasswordReset(
    _ email: String, code: String, password: String
  ) throws(AuthError) {
    let isRight = try write(AuthError.self) {
      let place = "reset:" + email.lowercased()
      if let end = try lock(at: place) { throw AuthError.tooManyAttempts(until: end) }
      let typed = code.uppercased().filter { $0.isLetter || $0.isNumber }
      let account = try database.value(
        Int.self,
        """
        SELECT account.key FROM password_reset
          JOIN account ON account.key = password_reset.account
        WHERE account.email = ?1 COLLATE NOCASE AND password_reset.code = ?2 AND expires_at > ?3
        """, email, SecureToken(text: typed).digest, now())
      guard let account else {
        try countWrongTry(at: place)
        return false
      }
      try forgetWrongTries(at: place)
      try database.run("UPDATE account SET password = ?2 WHERE key = ?1", account, password)
      try database.run("DELETE FROM password_reset WHERE account = ?1", account)
      try database.run("DELETE FROM session WHERE account = ?1", account)
      try database.run("UPDATE account SET revision = revision + 1 WHERE key = ?1", account)
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  // MARK: Leaving

  /// Deletes all that is the account's own (AUTH-4). What is left of it – its name, its responders
  /// and what they were told – goes when the monitor has told them. What goes on behind the screen
  /// is not ended.
  func eraseAccount(_ key: Int, _ pass: GatePass) throws(AuthError) {
    try write(AuthError.self) {
      if pass == .duress { try raiseSilentAlert(key) }
      let user = try user(key)
      let now = now()
      let ended = try database.run(
        """
        UPDATE alert SET resolved_at = ?2
        WHERE account = ?1 AND resolved_at IS NULL AND kind NOT IN ('drill', 'duress')
          AND concealed_at IS NULL
        """, key, now)
      if ended > 0 { try tellResponders(of: key, .dependentAlertEnded) }
      for peer in try peers(of: key) {
        try notify(peer, .contactRemoved, about: user.profile.name)
      }
      try touchPeers(of: key)
      try touchDependents(of: key)
      try database.run(
        """
        UPDATE alert SET resolved_at = ?2
        WHERE account = ?1 AND resolved_at IS NULL AND kind <> 'duress' AND concealed_at IS NULL
        """, key, now)
      for table in [
        "session", "password_reset", "notification", "file", "check_in", "document",
      ] {
        try database.run("DELETE FROM \(table) WHERE account = ?1", key)
      }
      try keepLinkedResponders(of: key)
      try database.run("DELETE FROM relation WHERE requester = ?1 OR addressee = ?1", key)
      try database.run("UPDATE contact SET phone = NULL, note = '' WHERE account = ?1", key)
      try database.run(
        """
        UPDATE account SET deleted_at = ?2, is_local = 0, phone = NULL, note = '', email = NULL,
          password = NULL, duress = NULL, seeming_gate = NULL, gate = NULL, code = ?3,
          picture = NULL
        WHERE key = ?1
        """, key, now, makeUUID())
      try touch(key)
    }
    do throws(KeychainError) { try secrets.set(seat.tokenName, nil) } catch {
      throw .keychain(error)
    }
    seat.token = .none
    signal(.other)
  }

  /// The other sides of an account's relations, whatever their state.
  private func peers(of key: Int) throws(StorageError) -> [Int] {
    try database.rows(
      """
      SELECT addressee FROM relation WHERE requester = ?1
      UNION SELECT requester FROM relation WHERE addressee = ?1
      """, key
    ) { row throws(StorageError) in try row.read() }
  }
}
