import Clients
package import Domain
import FoundationEssentials

extension User {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = """
    account.id, account.name, account.phone, account.note, account.email, account.interval,
    account.reminders, account.grace, account.repeat_every, account.check_in_sequence,
    account.last_check_in, account.paused_until, account.paused_at,
    iif(account.grace_sequence = account.check_in_sequence, account.grace_from, NULL),
    account.created_at, account.code,
    account.password IS NOT NULL, coalesce(account.seeming_gate, account.gate, '') <> '',
    account.password IS NOT NULL AND account.email <> account.sign_in_email COLLATE NOCASE,
    account.takes_links, account.takes_signs, account.picture, account.deleted_at,
    account.home_address, account.way_in, account.outing, \(Schedule.columns())
    """

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(),
      profile: Profile(
        name: try row.read(), phone: try row.read(), note: try row.read(), email: try row.read()),
      interval: try row.read(), reminders: try row.read(TimeSpan.list(json:)),
      grace: try row.read(EscalationRules.grace),
      repeatInterval: try row.read(EscalationRules.repeatInterval), checkInSequence: try row.read(),
      lastCheckIn: try row.read(), pausedUntil: try row.read(), pausedAt: try row.read(),
      graceFrom: try row.read(), createdAt: try row.read(), code: try row.read(),
      locks: try Locks(reading: &row), picture: try row.read(), deletedAt: try row.read())
    profile.address = try row.read()
    profile.access = try row.read()
    outing = try row.read()
    schedule = try Schedule.read(from: &row)
  }
}

extension User.Locks {
  fileprivate init(reading row: inout RowReader) throws(StorageError) {
    self = []
    if try row.read() { insert(.password) }
    if try row.read() { insert(.gate) }
    if try row.read(Bool?.self) == true { insert(.unconfirmedAddress) }
    if try row.read() { insert(.linkCheckIn) }
    if try row.read() { insert(.signsOfLife) }
  }
}

extension AccountCode: SQLBindable, SQLReadable {
  package static var sqlKind: SQLKind { .text }
  package var sqlValue: SQLValue { uuid.sqlValue }
  package init?(sqlValue: SQLValue) {
    guard let uuid = UUID(sqlValue: sqlValue) else { return nil }
    self.init(uuid)
  }
}

extension CheckIn {
  /// The columns that ``init(reading:)`` reads, in its order.
  static let columns = "id, at, source, sequence, margin, received_at, is_early"

  /// A column with the source of an account's last check-in.
  static func lastSource(of key: String) -> String { last("source", of: key) }

  /// A column of an account's last check-in.
  static func last(_ column: String, of key: String) -> String {
    """
    (SELECT \(column) FROM check_in WHERE check_in.account = \(key) ORDER BY sequence DESC LIMIT 1)
    """
  }

  init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), date: try row.read(), source: try row.read(),
      sequence: try row.read(), margin: try row.read(), receivedAt: try row.read(),
      isEarly: try row.read())
  }
}

extension TimeSpan {
  /// Reads a list such as `[1800,7200]`. Parsed by hand: every account has one, and a JSON decoder
  /// takes as long as reading the rest of the row.
  fileprivate static func list(json: String) -> [TimeSpan]? {
    guard json.hasPrefix("["), json.hasSuffix("]") else { return nil }
    let numbers = json.dropFirst().dropLast().split(separator: ",")
    let spans = numbers.compactMap { Int($0).map { TimeSpan(seconds: $0) } }
    return spans.count == numbers.count && spans.allSatisfy(\.isSensible) ? spans : nil
  }
}

extension [TimeSpan] {
  var json: String { "[" + map { "\($0.seconds)" }.joined(separator: ",") + "]" }
}

extension Store {
  // MARK: The signed-in account

  /// Creates an account. The first one in a store needs no password, and takes over the documents
  /// that were written before there was an account.
  /// - Parameter password: The hash of the account's password; `nil` only for the first account.
  func createAccount(
    _ new: NewAccount, password: String?
  ) throws(ClientError) -> (key: Int, user: User) {
    try write {
      let isFirst =
        try database.value(Int.self, "SELECT 1 FROM account WHERE deleted_at IS NULL LIMIT 1")
        == nil
      guard isFirst || password != nil else { throw ClientError.accountExists }
      let invitation = try passDoor()
      let key = try insertAccount(
        new, isLocal: isFirst && !session.isRemote, password: password)
      if new.isArriving {
        try database.run("UPDATE account SET watched_elsewhere = 1 WHERE key = ?1", key)
      }
      if let (id, member, roles) = invitation { try relate(key, toInviting: member, roles, by: id) }
      if isFirst { try database.run("UPDATE document SET account = ?1 WHERE account = 0", key) }
      return (key, try self.user(key))
    }
  }

  /// Creates another account beside the signed-in one, for tests of a monitor that watches several.
  func openFurtherAccount(_ new: NewAccount) throws(ClientError) -> User {
    try write { try user(insertAccount(new, isLocal: false)) }
  }

  /// Inserts an account whose deadline starts running now (ONB-3). A responder listed twice with
  /// the same address is added once.
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
        id, is_local, name, phone, note, email, interval, grace, repeat_every, reminders,
        check_in_sequence, last_check_in, created_at, code, password, sign_in_email, home_address,
        way_in)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, ?11, ?11, ?12, ?13, ?6,
        nullif(?14, ''), nullif(?15, '')) RETURNING key
      """, makeUUID(), isLocal, profile.name, profile.phone, profile.note, profile.email,
      new.interval, try EscalationRules.grace(new.grace),
      try EscalationRules.repeatInterval(new.repeatInterval), reminders.json, now, makeUUID(),
      password, profile.address, profile.access)!
    try insertCheckIn(key, at: now, source: .manual, sequence: 0, margin: nil)
    for draft in new.responders {
      let draft = try draft.checked()
      if try contact(of: key, reachedBy: draft.channels) == nil {
        _ = try insertContact(draft, account: key)
      }
    }
    return key
  }

  func user(_ key: Int) throws -> User {
    let user = try database.row(
      "SELECT \(User.columns) FROM account WHERE key = ?1", key,
      read: User.init(reading:))
    guard let user else { throw NoAccount() }
    return user
  }

  /// Throws if another account has this address. People sign in with it, so it must be unique.
  private func requireFree(_ email: String?, except key: Int = 0) throws {
    guard let email else { return }
    if try holder(of: email, except: key) != nil { throw ValidationError.emailTaken }
  }

  // MARK: Profile

  func currentUser() throws(ClientError) -> User {
    let user = try read {
      let user = try current(User.columns, read: User.init(reading:))
      guard let user else { throw NoAccount() }
      return user
    }
    spool.owner.id = user.id
    return user
  }

  /// Returns the validated profile, or throws if it is invalid or its e-mail address is taken.
  func checked(_ profile: Profile) throws(ClientError) -> Profile {
    try read {
      let profile = try profile.checked()
      try requireFree(profile.email, except: requireCurrentKey())
      return profile
    }
  }

  /// Stores the profile. In an account with a password, a new address can sign in only after its
  /// code has been entered.
  func storeProfile(_ profile: Profile) throws(ClientError) -> User {
    try writeHere { key in
      try requireFree(profile.email, except: key)
      let before = try user(key).profile.email
      try database.run(
        """
        UPDATE account SET name = ?2, phone = ?3, note = ?4, email = ?5,
          sign_in_email = iif(password IS NULL, ?5, coalesce(sign_in_email, ?5)),
          home_address = nullif(coalesce(?6, home_address), ''),
          way_in = nullif(coalesce(?7, way_in), '')
        WHERE key = ?1
        """, key, profile.name, profile.phone, profile.note, profile.email, profile.address,
        profile.access)
      if profile.email != before { try noticeAddressChange(of: key, to: profile.email) }
      try touch(key)
      try noteChange(forPeersOf: key)
      try requestAttention(forDependentsOf: key)
      return try user(key)
    }
  }

  func updateEscalation(
    _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan
  ) throws(ClientError) -> User {
    try writeHere { key in
      let user = try self.user(key)
      let reminders = try EscalationRules.reminders(
        reminders, interval: user.reminderLimit)
      try database.run(
        "UPDATE account SET reminders = ?2, grace = ?3, repeat_every = ?4 WHERE key = ?1", key,
        reminders.json, try EscalationRules.grace(grace),
        try EscalationRules.repeatInterval(repeatInterval))
      try touch(key)
      return try self.user(key)
    }
  }
}
