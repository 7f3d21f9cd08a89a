import Clients
import Domain
import FoundationEssentials

extension User {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    account.id, account.name, account.phone, account.note, account.email, account.interval,
    account.reminders, account.grace, account.check_in_sequence, account.last_check_in,
    account.paused_until, account.created_at, account.code, account.password IS NOT NULL,
    account.gate IS NOT NULL, account.deleted_at
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(),
      profile: Profile(
        name: try row.read(), phone: try row.read(), note: try row.read(), email: try row.read()),
      interval: try row.read(), reminders: try row.read(TimeSpan.list(json:)),
      grace: try row.read(), checkInSequence: try row.read(), lastCheckIn: try row.read(),
      pausedUntil: try row.read(), createdAt: try row.read(), code: try row.read(),
      locks: try Locks(reading: &row), deletedAt: try row.read())
  }
}

extension User.Locks {
  fileprivate init(reading row: inout RowReader) throws(StorageError) {
    self = []
    if try row.read() { insert(.password) }
    if try row.read() { insert(.gate) }
  }
}

extension AccountCode: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { uuid.sqlValue }
  init?(sqlValue: SQLValue) {
    guard let uuid = UUID(sqlValue: sqlValue) else { return nil }
    self.init(uuid)
  }
}

extension TimeSpan {
  /// Reads `[1800,7200]`.
  fileprivate static func list(json: String) throws -> [TimeSpan]? {
    try JSONDecoder().decode([TimeSpan].self, from: Data(json.utf8))
  }
}

extension [TimeSpan] {
  fileprivate var json: String { "[" + map { "\($0.seconds)" }.joined(separator: ",") + "]" }
}

extension SQLiteStore {
  // MARK: The signed-in account

  /// - Parameter password: The hash of the account's password; `nil` only for the first account.
  func createAccount(_ new: NewAccount, password: String?) throws(AuthError) -> User {
    let (key, user) = try write(AuthError.self) { () throws -> (Int, User) in
      let isFirst =
        try database.value(Int.self, "SELECT 1 FROM account WHERE deleted_at IS NULL LIMIT 1")
        == nil
      guard isFirst || password != nil else { throw AuthError.accountExists }
      let key = try insertAccount(new, isLocal: isFirst, password: password)
      if isFirst { try database.run("UPDATE document SET account = ?1 WHERE account = 0", key) }
      return (key, try self.user(key))
    }
    if password != nil { try beginSession(key) } else { seat.token = .none }
    return user
  }

  /// Opens one more account beside the signed-in one, for tests of a monitor that watches several.
  func openFurtherAccount(_ new: NewAccount) throws(AuthError) -> User {
    try write(AuthError.self) { try user(insertAccount(new, isLocal: false)) }
  }

  /// The deadline starts running now (ONB-3). A responder named twice by the same e-mail address is
  /// added once.
  private func insertAccount(
    _ new: NewAccount, isLocal: Bool, password: String? = nil
  ) throws -> Int {
    var profile = new.profile
    if let credentials = new.credentials { profile.email = credentials.email }
    profile = try profile.checked()
    try requireFree(profile.email)
    let reminders = try EscalationRules.reminders(new.reminders, interval: new.interval)
    let now = now().stored
    let key = try database.value(
      Int.self,
      """
      INSERT INTO account (
        id, is_local, name, phone, note, email, interval, grace, reminders, check_in_sequence,
        last_check_in, created_at, code, password)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, ?10, ?10, ?11, ?12) RETURNING key
      """, makeUUID(), isLocal, profile.name, profile.phone, profile.note, profile.email,
      new.interval, try EscalationRules.grace(new.grace), reminders.json, now, makeUUID(),
      password)!
    try insertCheckIn(key, at: now, source: .manual, sequence: 0, margin: nil)
    for draft in new.responders {
      let draft = try draft.checked()
      if try contact(of: key, withEmail: draft.email) == nil {
        _ = try insertContact(draft, account: key)
      }
    }
    return key
  }

  /// Grows with every write that concerns the signed-in account.
  func currentRevision<Failure: AccountFailure>(_ failure: Failure.Type) throws(Failure) -> Int {
    do {
      let query = "SELECT revision FROM account WHERE key = ?1"
      guard let revision = try database.value(Int.self, query, requireCurrentKey()) else {
        throw NoAccount()
      }
      return revision
    } catch {
      throw .wrapping(error)
    }
  }

  func user(_ key: Int) throws -> User {
    let user = try database.row(
      "SELECT \(User.columns) FROM account WHERE key = ?1", key,
      read: { row throws(StorageError) in try User(reading: &row) })
    guard let user else { throw NoAccount() }
    return user
  }

  /// Notes a write that can change what the planner decides: the monitor looks at the account next.
  func touch(_ key: Int) throws(StorageError) {
    try database.run(
      "UPDATE account SET revision = revision + 1, attention_at = 0 WHERE key = ?1", key)
  }

  /// Notes a write that the other sides of an account's relations can see.
  func touchPeers(of key: Int) throws(StorageError) {
    try database.run(
      """
      UPDATE account SET revision = revision + 1 WHERE key IN (
        SELECT addressee FROM relation WHERE requester = ?1
        UNION SELECT requester FROM relation WHERE addressee = ?1)
      """, key)
  }

  /// No two accounts of a store share an address, since it signs in.
  private func requireFree(_ email: String?, except key: Int = 0) throws {
    guard let email else { return }
    let other = try database.value(
      Int.self, "SELECT key FROM account WHERE email = ?1 COLLATE NOCASE AND key <> ?2", email, key)
    if other != nil { throw ValidationError.emailTaken }
  }

  // MARK: Profile

  func currentUser() throws(UserError) -> User {
    try read(UserError.self) { try user(requireCurrentKey()) }
  }

  func updateProfile(_ profile: Profile) throws(UserError) -> User {
    try write(UserError.self) {
      let profile = try profile.checked()
      let key = try requireCurrentKey()
      try requireFree(profile.email, except: key)
      try database.run(
        "UPDATE account SET name = ?2, phone = ?3, note = ?4, email = ?5 WHERE key = ?1",
        key, profile.name, profile.phone, profile.note, profile.email)
      try touch(key)
      return try user(key)
    }
  }

  // MARK: Check-ins

  /// Moves the deadline – never backwards –, and ends a missed alert, never one raised by hand
  /// (CHK-1, CHK-6).
  func checkIn(_ source: CheckIn.Source, _ pass: GatePass) throws(CheckInError) -> User {
    try write(CheckInError.self) {
      let key = try requireCurrentKey()
      if pass == .duress { try raiseSilentAlert(key) }
      let user = try user(key)
      let stamp = max(now().stored, user.lastCheckIn)
      let sequence = user.checkInSequence + 1
      try database.run(
        "UPDATE account SET last_check_in = ?2, check_in_sequence = ?3 WHERE key = ?1",
        key, stamp, sequence)
      let isRepeat = stamp <= user.lastCheckIn + CheckIn.repeatWindow
      let moved =
        isRepeat
        ? try database.run(
          """
          UPDATE check_in SET at = ?2, sequence = ?3 WHERE account = ?1
            AND sequence = (SELECT max(sequence) FROM check_in WHERE account = ?1)
          """, key, stamp, sequence)
        : 0
      if moved == 0 {
        try insertCheckIn(
          key, at: stamp, source: source, sequence: sequence,
          margin: .seconds(user.deadline.secondsLeft(at: stamp)))
      }
      let ended = try database.run(
        """
        UPDATE alert SET resolved_at = ?2
        WHERE account = ?1 AND kind = 'missed' AND resolved_at IS NULL
        """, key, stamp)
      if ended > 0 { try notify(key, .allClear) }
      try touch(key)
      return try self.user(key)
    }
  }

  private func insertCheckIn(
    _ account: Int, at date: Date, source: CheckIn.Source, sequence: Int, margin: TimeSpan?
  ) throws(StorageError) {
    try database.run(
      """
      INSERT INTO check_in (account, sequence, id, at, source, margin)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """, account, sequence, makeUUID(), date, source, margin)
  }

  func history(_ limit: Int) throws(CheckInError) -> [CheckIn] {
    try read(CheckInError.self) {
      try database.rows(
        """
        SELECT id, at, source, sequence, margin FROM check_in
        WHERE account = ?1 ORDER BY sequence DESC LIMIT ?2
        """, requireCurrentKey(), max(0, limit)
      ) { row throws(StorageError) in
        CheckIn(
          id: try row.read(), date: try row.read(), source: try row.read(),
          sequence: try row.read(), margin: try row.read())
      }
    }
  }

  func updateInterval(_ interval: CheckInInterval) throws(CheckInError) -> User {
    try write(CheckInError.self) {
      let key = try requireCurrentKey()
      let reminders = try user(key).reminders.filter { $0 < interval.span }
      try database.run(
        """
        UPDATE account SET interval = ?2, reminders = ?3,
          check_in_sequence = check_in_sequence + 1
        WHERE key = ?1
        """,
        key, interval, reminders.json)
      try touch(key)
      return try user(key)
    }
  }
}

extension Profile {
  /// The profile as it is stored; the store is the last to look at it.
  fileprivate func checked() throws(ValidationError) -> Profile {
    try Profile(validating: name, phone: phone ?? "", note: note, email: email ?? "")
  }
}
