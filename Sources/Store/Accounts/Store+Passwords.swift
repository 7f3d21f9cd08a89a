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
      if let end = try lock(at: Self.place(email)) { throw ClientError.tooManyAttempts(until: end) }
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

  /// Counts a try at a place, right or wrong.
  /// - Throws: ``ClientError/invalidCredentials`` if it is wrong. While the place is locked,
  ///   nothing is counted.
  func judge(_ isRight: Bool, at place: String) throws(ClientError) {
    let isCounted = try write(.other, isNoted: false) {
      if let end = try lock(at: place) { throw ClientError.tooManyAttempts(until: end) }
      if isRight {
        try forgetWrongTries(at: place)
      } else {
        try countWrongTry(at: place)
      }
      return isRight
    }
    guard isCounted else { throw .invalidCredentials }
  }

  func requireUnlocked(_ place: String) throws(ClientError) {
    try read {
      if let end = try lock(at: place) { throw ClientError.tooManyAttempts(until: end) }
    }
  }

  /// Returns the place where wrong passwords for an address are counted.
  static func place(_ email: String) -> String { "sign-in:" + email.lowercased() }

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
    var place: String { "password:\(account)" }
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
      try database.run("DELETE FROM password_reset WHERE account = ?1", account)
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

  /// Sets a new password if the code is the one that was mailed.
  func finishPasswordReset(
    _ email: String, code: String, password: String
  ) throws(ClientError) {
    let isRight = try write {
      let place = "reset:" + email.lowercased()
      if let end = try lock(at: place) { throw ClientError.tooManyAttempts(until: end) }
      let typed = code.uppercased().filter { $0.isLetter || $0.isNumber }
      let account = try database.value(
        Int.self,
        """
        SELECT account.key FROM password_reset
          JOIN account ON account.key = password_reset.account
        WHERE sign_in_email = ?1 COLLATE NOCASE AND password_reset.code = ?2 AND expires_at > ?3
        """, email, SecureToken(text: typed).digest, now())
      guard let account else {
        try countWrongTry(at: place)
        return false
      }
      try forgetWrongTries(at: place)
      try database.run(
        "UPDATE account SET password = ?2, reset_at = ?3 WHERE key = ?1", account, password, now())
      for table in ["password_reset", "waiting_request", "session"] {
        try database.run("DELETE FROM \(table) WHERE account = ?1", account)
      }
      // A stranger's wrong passwords must not lock out the person who has the code.
      try forgetWrongTries(at: Self.place(email))
      try noticeOwner(account, .passwordWasReset(makeUUID()), ResetRules.notice)
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }
}
