import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Store {
  // MARK: The signed-in account

  func authState() throws(ClientError) -> AuthState {
    try read {
      if let id = try signedInAccount() { return .signedIn(id) }
      // Another program may have signed in here since.
      if !session.isRemote,
        let newest = try database.value(
          UUID.self, "SELECT id FROM session ORDER BY created_at DESC LIMIT 1"),
        try session.findToken(of: newest), let id = try signedInAccount()
      {
        return .signedIn(id)
      }
      // A server reveals to nobody whether it has accounts, and its first one needs an invitation,
      // too.
      if session.isRemote { return .signedOut }
      let isThereAny =
        try database.value(
          Int.self, "SELECT 1 FROM account WHERE deleted_at IS NULL LIMIT 1") != nil
      return isThereAny ? .signedOut : .newcomer
    }
  }

  private func signedInAccount() throws(StorageError) -> UUID? {
    try currentKey().flatMap { key throws(StorageError) in
      try database.value(UUID.self, "SELECT id FROM account WHERE key = ?1", key)
    }
  }

  /// Returns the key of the signed-in account, or `nil`: that of the running session or, where
  /// nobody has signed in, that of an account without a password.
  func currentKey() throws(StorageError) -> Int? {
    try current("account.key") { row throws(StorageError) in try row.read() }
  }

  /// Reads columns of the signed-in account; returns `nil` if nobody is signed in.
  /// - Parameter columns: Columns of `account`.
  func current<Value>(
    _ columns: String, read: (inout RowReader) throws(StorageError) -> Value
  ) throws(StorageError) -> Value? {
    switch try session.token() {
    case .signedOut: nil
    case .token(let token):
      // Compared after the query: the time of a server's database arrives with the row.
      try database.row(
        """
        SELECT session.expires_at, \(columns)
        FROM session JOIN account ON account.key = session.account WHERE session.token = ?1
        """, SecureToken(text: token).digest
      ) { row throws(StorageError) -> Value? in
        let end: Date = try row.read()
        return end > now().stored ? try read(&row) : nil
      } ?? nil
    case .missing:
      try database.row(
        """
        SELECT \(columns) FROM account WHERE password IS NULL
          AND iif(?1 IS NULL, is_local = 1, email = ?1 COLLATE NOCASE)
        """, session.address, read: read)
    }
  }

  /// Returns the key of the signed-in account.
  func requireCurrentKey() throws -> Int {
    guard let key = try currentKey() else { throw NoAccount() }
    return key
  }

  /// Returns the key of the signed-in account for an operation that changes how it is watched. An
  /// account that has moved to a server must be changed there: a change here would have no effect,
  /// although its person would rely on it.
  func requireKeyHere() throws -> Int {
    let key = try requireCurrentKey()
    // A server can't refer its caller to another place.
    guard !session.isRemote else { return key }
    let server = try database.optionalValue(
      String.self, "SELECT moved_to FROM account WHERE key = ?1", key)
    if server != nil { try refuseMoved(key) }
    return key
  }

  // MARK: Sessions

  /// Marks the session as used, which extends it. Writes at most once a minute.
  func useSession() throws(ClientError) {
    guard let digest = try ownDigest() else { return }
    let now = now()
    try write(.other) {
      try database.run(
        """
        UPDATE session SET last_used_at = ?2, expires_at = ?3
        WHERE token = ?1 AND expires_at > ?2 AND last_used_at < ?4
        """, digest, now, now + Session.lifetime, now - .minutes(1))
      return ()
    }
  }

  /// Begins a session for an account.
  /// - Returns: Its token, of which the store keeps only a digest.
  func beginSession(_ account: Int) throws(ClientError) -> SecureToken {
    let token = SecureToken()
    try write(.other) {
      let now = now()
      try database.run(
        """
        DELETE FROM session WHERE expires_at <= ?1
          AND account NOT IN (SELECT key FROM account WHERE disabled_at IS NOT NULL)
        """, now)
      try database.run(
        """
        INSERT INTO session (account, id, token, device, created_at, last_used_at, expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)
        """, account, makeUUID(), token.digest, session.device, now, now + Session.lifetime)
    }
    return token
  }

  /// Ends the session of this handle.
  func endSession() throws(ClientError) {
    if let digest = try ownDigest() { try write(.other) { try endSession(digest) } }
  }

  /// Ends a session whose token could not be saved.
  func endSession(_ token: SecureToken) throws(ClientError) {
    try write(.other) { try endSession(token.digest) }
  }

  private func endSession(_ digest: String) throws(StorageError) {
    try database.run(
      "INSERT INTO change (account) SELECT account FROM session WHERE token = ?1", digest)
    try database.run("DELETE FROM session WHERE token = ?1", digest)
  }

  func sessions() throws(ClientError) -> [Session] {
    try read {
      let current = try currentDigest()
      return try database.rows(
        """
        SELECT id, device, created_at, last_used_at, token FROM session
        WHERE account = ?1 AND expires_at > ?2 ORDER BY last_used_at DESC, key DESC
        """, requireCurrentKey(), now()
      ) { row throws(StorageError) in
        Session(
          // Earlier servers stored any name.
          id: try row.read(), device: try row.read(String.self).outgoing,
          createdAt: try row.read(),
          lastUsedAt: try row.read(), isCurrent: try row.read(String.self) == current)
      }
    }
  }

  func revokeSession(_ id: Session.ID) throws(ClientError) {
    try write(.other) { account in
      try database.run("DELETE FROM session WHERE id = ?1 AND account = ?2", id, account)
      try noteChange(of: account)
    }
  }

  func revokeOtherSessions() throws(ClientError) {
    try write(.other) { try endSessions(of: requireCurrentKey()) }
  }

  /// Ends every session of an account except the caller's own.
  func endSessions(of account: Int) throws(StorageError) {
    try database.run(
      "DELETE FROM session WHERE account = ?1 AND token <> ?2", account,
      currentDigest() ?? "")
    // Waiting clients on other devices learn that their session is over.
    try noteChange(of: account)
  }

  private func ownDigest() throws(ClientError) -> String? {
    do { return try currentDigest() } catch { throw .storage(error) }
  }

  func currentDigest() throws(StorageError) -> String? {
    guard case .token(let token) = try session.token() else { return nil }
    return SecureToken(text: token).digest
  }

  // MARK: Wrong tries

  /// Returns until when tries at a place are refused (AUTH-3), or `nil`.
  func lock(at place: String, free: Int = LockOut.freeTries) throws(StorageError) -> Date? {
    guard let (count, last) = try wrongTries(at: place) else { return nil }
    let end = last + LockOut.pause(afterWrongTries: count, free: free)
    return end > now() ? end : nil
  }

  /// Returns the number of wrong tries in a row at a place, and the time of the last one.
  func wrongTries(at place: String) throws(StorageError) -> (count: Int, last: Date)? {
    try database.row(
      "SELECT count, last_at FROM wrong_tries WHERE place = ?1", place
    ) { row throws(StorageError) -> (Int, Date) in (try row.read(), try row.read()) }
  }

  /// Counts a wrong try, and forgets those older than a day.
  func countWrongTry(at place: String) throws(StorageError) {
    let now = now()
    try database.run("DELETE FROM wrong_tries WHERE last_at < ?1", now - .days(1))
    try database.run(
      """
      INSERT INTO wrong_tries (place, count, last_at) VALUES (?1, 1, ?2)
      ON CONFLICT (place) DO UPDATE SET count = wrong_tries.count + 1, last_at = ?2
      """, place, now)
  }

  func forgetWrongTries(at place: String) throws(StorageError) {
    try database.run("DELETE FROM wrong_tries WHERE place = ?1", place)
  }

  // MARK: Deleting an account

  /// Deletes an account's data (AUTH-4). Its name, its responders and the messages to them stay
  /// until the monitor has sent those. A silent alert stays on.
  func eraseAccount(_ key: Int) throws(ClientError) {
    // An alert waiting in a file is part of the one that is on, and ends with it.
    let files = try writeTakingFiles(if: { _ in try activeManualAlert(of: key) != nil }) { _ in
      let files = try fileIDs(of: key)
      let user = try user(key)
      let now = now()
      let ended = try database.rowsChanged(
        by: """
          UPDATE alert SET resolved_at = ?2
          WHERE account = ?1 AND resolved_at IS NULL AND kind NOT IN ('drill', 'duress')
          """, key, now)
      if ended > 0 { try notifyResponders(of: key, .dependentAlertEnded) }
      for (_, peer) in try relations(of: key) {
        try notify(peer, .contactRemoved, about: user.profile.name)
      }
      try noteChange(forPeersOf: key)
      try requestAttention(forDependentsOf: key)
      try database.run(
        """
        UPDATE alert SET resolved_at = ?2
        WHERE account = ?1 AND resolved_at IS NULL AND kind <> 'duress'
        """, key, now)
      for table in [
        "session", "reset_code", "address_code", "replaced_address", "waiting_request",
        "check_in_code",
        "notification", "file",
        "check_in", "document", "request",
      ] {
        try database.run("DELETE FROM \(table) WHERE account = ?1", key)
      }
      try database.run("DELETE FROM invite WHERE created_by = ?1", key)
      try forgetWords(of: key)
      try keepLinkedResponders(of: key)
      for (relation, peer) in try relations(of: key) {
        try forgetKept(relation, of: peer)
        try withdraw(relation, of: peer)
      }
      try database.run("DELETE FROM relation WHERE requester = ?1 OR addressee = ?1", key)
      try database.run("UPDATE contact SET phone = NULL, note = '' WHERE account = ?1", key)
      try database.run(
        """
        UPDATE account SET deleted_at = ?2, is_local = 0, phone = NULL, note = '', email = NULL,
          sign_in_email = NULL, password = NULL, duress = NULL, seeming_gate = NULL, gate = NULL, code = ?3,
          picture = NULL, muted_topics = ''
        WHERE key = ?1
        """, key, now, makeUUID())
      try touch(key)
      return files
    }
    blobs.delete(files)
  }

  /// Returns an account's relations and their other sides, whatever their state.
  private func relations(of key: Int) throws(StorageError) -> [(id: Contact.ID, peer: Int)] {
    try database.rows(
      """
      SELECT id, addressee FROM relation WHERE requester = ?1
      UNION SELECT id, requester FROM relation WHERE addressee = ?1
      """, key
    ) { row throws(StorageError) in (try row.read(), try row.read()) }
  }
}
