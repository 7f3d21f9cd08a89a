import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Store {
  // MARK: Passwords

  /// The stored state that a sign-in is checked against.
  struct PasswordOnFile {
    var account: Int?
    var hash: String?
    var isDisabled = false
    /// Whether it signs in with an empty password, because it was created without one.
    var needsNone: Bool { account != nil && hash == nil }
  }

  func passwordOnFile(email: String) throws(ClientError) -> PasswordOnFile {
    try read {
      try requireUnlocked(signIn(email))
      return try database.row(
        """
        SELECT key, password, disabled_at IS NOT NULL FROM account
        WHERE sign_in_email = ?1 COLLATE NOCASE
        """, email
      ) { row throws(StorageError) in
        PasswordOnFile(
          account: try row.read(), hash: try row.read(), isDisabled: try row.read())
      } ?? PasswordOnFile()
    }
  }

  /// Where wrong guesses of one kind are counted.
  struct Guesses {
    /// The place for those from the caller's network; hashes wait there in turn.
    var place: String
    /// The place for those of a day from all networks, and how many are free.
    var everywhere: (place: String, free: Int)?
    /// Whether a network without a wrong guess can try when those of all networks are used up.
    var sparesOthers = false
  }

  /// Counts a try, right or wrong.
  /// - Throws: ``ClientError/invalidCredentials`` if it is wrong. While any of the places is locked,
  ///   nothing is counted.
  func judge(_ isRight: Bool, _ guesses: Guesses) throws(ClientError) {
    let isCounted = try write(.other, isNoted: false) {
      try requireUnlocked(guesses)
      try count(isRight, guesses)
      return isRight
    }
    guard isCounted else { throw .invalidCredentials }
  }

  func checkUnlocked(_ guesses: Guesses) throws(ClientError) {
    try read { try requireUnlocked(guesses) }
  }

  private func requireUnlocked(_ guesses: Guesses) throws {
    var end = try lock(at: guesses.place)
    if let (place, free) = everywhere(guesses), let shared = try lock(at: place, free: free) {
      let isSpared = try guesses.sparesOthers && wrongTries(at: guesses.place) == nil
      if !isSpared { end = max(end ?? shared, shared) }
    }
    if let end { throw ClientError.tooManyAttempts(until: end) }
  }

  private func count(_ isRight: Bool, _ guesses: Guesses) throws(StorageError) {
    for place in [guesses.place] + (everywhere(guesses).map { [$0.place] } ?? []) {
      if isRight { try forgetWrongTries(at: place) } else { try countWrongTry(at: place) }
    }
  }

  /// Each day counts by itself, so that one guess an hour never adds up to a lock.
  private func everywhere(_ guesses: Guesses) -> (place: String, free: Int)? {
    guesses.everywhere.map { place, free in
      ("\(place) \(Int(bounded: now().timeIntervalSince1970) / 86_400)", free)
    }
  }

  /// The guesses of a password to sign in with.
  nonisolated func signIn(_ email: String) -> Guesses {
    guesses("sign-in:" + email.lowercased(), budget: LockOut.budget)
  }

  /// The guesses of a code to set a new password with. The person who has it in their mail makes no
  /// wrong one.
  private func reset(_ email: String) -> Guesses {
    var guesses = guesses("reset:" + email.lowercased(), budget: LockOut.codeBudget)
    guesses.sparesOthers = true
    return guesses
  }

  /// Guesses are counted by the caller's network, so that a stranger's don't lock out the person
  /// (DUR-2), and together, so that many networks don't have many tries (AUTH-3).
  private nonisolated func guesses(_ place: String, budget: Int) -> Guesses {
    guard let network = session.network else { return Guesses(place: place) }
    return Guesses(place: "\(place) \(network)", everywhere: (place, budget))
  }

  func isEmailFree(_ email: String) throws(ClientError) -> Bool {
    try read { try holder(of: email) == nil }
  }

  /// Returns the account that has an address, signs in with it, or can take it back.
  func holder(of email: String, except key: Int = 0) throws(StorageError) -> Int? {
    try database.value(
      Int.self,
      """
      SELECT key FROM account WHERE email = ?1 COLLATE NOCASE AND key <> ?2
      UNION ALL SELECT key FROM account WHERE sign_in_email = ?1 COLLATE NOCASE AND key <> ?2
      UNION ALL SELECT account FROM replaced_address
        WHERE email = ?1 AND account <> ?2 AND expires_at > ?3
      """, email, key, now())
  }

  /// The password of the signed-in account.
  struct OwnPassword {
    var account: Int
    var hash: String?
    var isFirst: Bool
    /// Whether there is an address to sign in with.
    var hasAddress: Bool
    /// Where wrong passwords of the signed-in account are counted.
    var guesses: Guesses { Guesses(place: "password:\(account)") }
  }

  func ownPassword() throws(ClientError) -> OwnPassword {
    try read { key in
      let found = try database.row(
        "SELECT password, is_local, sign_in_email IS NOT NULL FROM account WHERE key = ?1", key
      ) { row throws(StorageError) in
        OwnPassword(
          account: key, hash: try row.read(), isFirst: try row.read(), hasAddress: try row.read())
      }
      guard let found else { throw NoAccount() }
      return found
    }
  }

  func setPassword(_ hash: String?, of account: Int) throws(ClientError) {
    try write(.other) {
      try database.run("UPDATE account SET password = ?2 WHERE key = ?1", account, hash)
      try database.run("DELETE FROM reset_code WHERE account = ?1", account)
      try endSessions(of: account)
      try noteChange(of: account)
    }
  }

  /// Replaces a hash of an older cost by another one of the same password, unless the password has
  /// been changed since.
  func renewHash(_ hash: String, of account: Int, _ old: String) throws(ClientError) {
    try write(.other, isNoted: false) {
      try database.run(
        "UPDATE account SET password = ?2 WHERE key = ?1 AND password = ?3", account, hash, old)
    }
  }

  // MARK: Forgotten passwords

  /// Mails a reset code to an address, if an account signs in with it.
  func sendPasswordReset(_ email: String) throws(ClientError) {
    try write {
      let email = try ProfileRules.email(email)
      let found = try database.row(
        """
        SELECT key, name, sign_in_email FROM account
        WHERE sign_in_email = ?1 COLLATE NOCASE AND email IS NOT NULL
        """, email
      ) { row throws(StorageError) -> (Int, String, String) in
        (try row.read(), try row.read(), try row.read())
      }
      guard let (key, name, address) = found else { return }
      // Codes that were sent stay valid, so that a stranger who asks for more ends none (DUR-2). One
      // that nobody can have is replaced.
      try forgetUnsentResetCodes(of: key)
      guard let code = try addResetCode(for: key, atMost: ResetRules.mostCodes) else { return }
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

  /// Adds a code to set a new password with within an hour.
  /// - Parameter limit: How many can be valid at a time; `nil` for any number.
  /// - Returns: The code, or `nil` if there are that many already.
  func addResetCode(for key: Int, atMost limit: Int? = nil) throws(StorageError) -> String? {
    try database.run("DELETE FROM reset_code WHERE expires_at <= ?1", now())
    let count = try database.value(
      Int.self, "SELECT count(*) FROM reset_code WHERE account = ?1", key)
    if let limit, count ?? 0 >= limit { return nil }
    let code = SecureToken().shortCode
    try database.run(
      "INSERT INTO reset_code (code, account, expires_at) VALUES (?1, ?2, ?3)",
      SecureToken(text: code).digest, key, now() + .hours(1))
    return code
  }

  /// Forgets the code whose mail waits, unless an attempt is under way or may have delivered it.
  private func forgetUnsentResetCodes(of key: Int) throws(StorageError) {
    let unsent = try database.rows(
      """
      SELECT detail FROM delivery
      WHERE account = ?1 AND stage = ?2 AND state = 'pending'
        AND begun_at IS NULL AND doubtful = 0 AND ambiguous = 0
      """, key, Stage.passwordReset
    ) { row throws(StorageError) in try row.read(String.self) }
    for code in unsent {
      try database.run(
        "DELETE FROM reset_code WHERE account = ?1 AND code = ?2", key,
        SecureToken(text: code).digest)
    }
  }

  /// Sets a new password if the code is one that was mailed.
  func finishPasswordReset(
    _ email: String, code: String, password: String
  ) throws(ClientError) {
    let isRight = try write {
      let guesses = reset(email)
      try requireUnlocked(guesses)
      let typed = code.uppercased().filter { $0.isLetter || $0.isNumber }
      let account = try database.value(
        Int.self,
        """
        SELECT account.key FROM reset_code JOIN account ON account.key = reset_code.account
        WHERE sign_in_email = ?1 COLLATE NOCASE AND reset_code.code = ?2 AND expires_at > ?3
        """, email, SecureToken(text: typed).digest, now())
      try count(account != nil, guesses)
      guard let account else { return false }
      try database.run(
        "UPDATE account SET password = ?2, reset_at = ?3 WHERE key = ?1", account, password, now())
      for table in ["reset_code", "waiting_request", "session"] {
        try database.run("DELETE FROM \(table) WHERE account = ?1", account)
      }
      // A stranger's wrong passwords must not lock out the person who has the code.
      try count(true, signIn(email))
      try noticeOwner(account, .passwordWasReset(makeUUID()), ResetRules.notice)
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }
}
