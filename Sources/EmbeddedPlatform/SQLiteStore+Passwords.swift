import Clients
import Cryptography
import Domain
import FoundationEssentials

extension SQLiteStore {
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
}
