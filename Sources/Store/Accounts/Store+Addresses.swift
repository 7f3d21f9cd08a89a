import Clients
import Cryptography
import Domain
import FoundationEssentials

/// Changes of e-mail address (AUTH-5).
extension Store {
  /// Mails a confirmation code to a new address, and to the one that signs in now a code that
  /// undoes the change.
  func noticeAddressChange(of key: Int, to new: String?) throws(StorageError) {
    try database.run("DELETE FROM address_code WHERE account = ?1", key)
    let found = try database.row(
      "SELECT name, sign_in_email FROM account WHERE key = ?1 AND password IS NOT NULL", key
    ) { row throws(StorageError) -> (String, String?) in (try row.read(), try row.read()) }
    guard let (name, old) = found, old?.lowercased() != new?.lowercased() else { return }
    if let new { try mailAddressCode(to: new, key, name) }
    guard let old else { return }
    let code = SecureToken().shortCode
    try database.run("DELETE FROM replaced_address WHERE expires_at <= ?1", now())
    try database.run(
      "INSERT INTO replaced_address (account, email, code, expires_at) VALUES (?1, ?2, ?3, ?4)",
      key, old, SecureToken(text: code).digest, now() + AddressRules.undoPeriod)
    try mail(.addressReplaced, code, to: old, key, name)
  }

  private func mailAddressCode(to address: String, _ key: Int, _ name: String) throws(StorageError)
  {
    let code = SecureToken().shortCode
    try database.run(
      """
      INSERT INTO address_code (account, email, code, expires_at) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (account) DO UPDATE SET email = ?2, code = ?3, expires_at = ?4
      """, key, address, SecureToken(text: code).digest, now() + AddressRules.codeLifetime)
    try mail(.addressCode, code, to: address, key, name)
  }

  private func mail(
    _ stage: Stage, _ code: String, to address: String, _ key: Int, _ name: String
  ) throws(StorageError) {
    try database.run(
      "DELETE FROM delivery WHERE account = ?1 AND stage = ?2 AND address = ?3", key, stage, address
    )
    try insert(
      PlannedDelivery(
        occasion: .account, stage: stage, recipient: .owner, recipientName: name, channel: .email,
        address: address, detail: code), account: key, now: now())
    try touch(key)
  }

  func sendAddressCode() throws(ClientError) {
    try write { key in
      let user = try user(key)
      guard user.locks.contains(.unconfirmedAddress), let address = user.profile.email else {
        return
      }
      try mailAddressCode(to: address, key, user.profile.name)
    }
  }

  /// Confirms the new address, which signs in from now on.
  func confirmAddress(_ typed: String) throws(ClientError) {
    let isRight = try write { key in
      let place = "address:\(key)"
      if let end = try lock(at: place) { throw ClientError.tooManyAttempts(until: end) }
      let email = try database.value(
        String.self,
        """
        SELECT address_code.email FROM address_code JOIN account ON account.key = account
        WHERE account = ?1 AND address_code.code = ?2 AND expires_at > ?3
          AND address_code.email = account.email
        """, key, digest(typed), now())
      guard let email else {
        try countWrongTry(at: place)
        return false
      }
      try forgetWrongTries(at: place)
      try database.run("UPDATE account SET sign_in_email = ?2 WHERE key = ?1", key, email)
      try database.run("DELETE FROM address_code WHERE account = ?1", key)
      try database.run("DELETE FROM reset_code WHERE account = ?1", key)
      try touch(key)
      return true
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  /// Undoes a change that the owner didn't make ("This wasn't me"): restores the address that the
  /// code was mailed to, or drops the requests that wait after a reset. Ends every session. Wrong
  /// codes never lock out the right one.
  func takeBack(_ typed: String) throws(ClientError) {
    let isRight = try write {
      if let (key, email) = try database.row(
        "SELECT account, email FROM replaced_address WHERE code = ?1 AND expires_at > ?2",
        digest(typed), now(),
        read: { row throws(StorageError) -> (Int, String) in (try row.read(), try row.read()) })
      {
        try database.run(
          "UPDATE account SET email = ?2, sign_in_email = ?2 WHERE key = ?1", key, email)
        try database.run("DELETE FROM replaced_address WHERE account = ?1", key)
        try shutOut(key)
        try noticeOwner(key, .addressTakenBack(makeUUID()), AddressRules.undoneNotice)
        try requestAttention(forDependentsOf: key)
        return true
      }
      if let key = try database.value(
        Int.self, "SELECT account FROM waiting_request WHERE code = ?1 AND asked_at > ?2",
        digest(typed), now() - AddressRules.undoPeriod)
      {
        // The requester may know the password, so their next request waits the full time again.
        try database.run("UPDATE account SET reset_at = ?2 WHERE key = ?1", key, now())
        try shutOut(key)
        try noticeOwner(key, .addressTakenBack(makeUUID()), ResetRules.undoneNotice)
        return true
      }
      if let end = try lock(at: Self.undoPlace) {
        throw ClientError.tooManyAttempts(until: end)
      }
      try countWrongTry(at: Self.undoPlace)
      return false
    }
    guard isRight else { throw .resetCodeInvalid }
  }

  /// Ends every session, and deletes the codes, resets and requests that were started in one.
  private func shutOut(_ key: Int) throws(StorageError) {
    for table in ["address_code", "waiting_request", "reset_code", "session"] {
      try database.run("DELETE FROM \(table) WHERE account = ?1", key)
    }
  }

  private static let undoPlace = "address-back"

  private func digest(_ typed: String) -> String {
    SecureToken(text: typed.uppercased().filter { $0.isLetter || $0.isNumber }).digest
  }
}
