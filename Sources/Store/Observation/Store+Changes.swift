import Clients

/// Tells which accounts have changes. What one account's program writes reaches others by rows that
/// are added, never by changing theirs: so two people of one circle never wait for each other.
extension Store {
  /// Notes a write of the account's own that can change what the planner decides: the monitor looks at
  /// the account next.
  func touch(_ key: Int) throws(StorageError) {
    try database.run("UPDATE account SET \(Self.touched) WHERE key = ?1", key)
    try noteChange(of: key)
  }

  /// What a write of the account's own sets, besides what it is about.
  static let touched = "revision = revision + 1, attention_at = 0"

  /// Does the same for several accounts at once, which costs as many statements as one.
  /// - Parameter isDue: Whether the monitor looks at them next.
  func touch(all keys: [Int], isDue: Bool) throws(StorageError) {
    guard !keys.isEmpty else { return }
    let list = Set(keys).sorted().json
    let attention = isDue ? ", attention_at = 0" : ""
    try database.run(
      """
      UPDATE account SET revision = revision + 1\(attention)
      WHERE key IN (SELECT listed.value FROM json_each(?1) AS listed)
      """, list)
    try database.run(
      "INSERT INTO change (account) SELECT listed.value FROM json_each(?1) AS listed", list)
  }

  /// Has the observers of the account read again; nothing is due because of it.
  func noteChange(of key: Int) throws(StorageError) {
    try database.run("INSERT INTO change (account) VALUES (?1)", key)
  }

  /// Notes a change that the other sides of an account's relations can see.
  func noteChange(forPeersOf key: Int) throws(StorageError) {
    try database.run(
      """
      INSERT INTO change (account)
        SELECT addressee FROM relation WHERE requester = ?1
        UNION SELECT requester FROM relation WHERE addressee = ?1
      """, key)
  }

  /// Notes a change that the account's person and the other sides of its relations can see.
  func noteChange(ofCircleOf key: Int) throws(StorageError) {
    try database.run(
      """
      INSERT INTO change (account)
        SELECT ?1
        UNION ALL SELECT addressee FROM relation WHERE requester = ?1
        UNION ALL SELECT requester FROM relation WHERE addressee = ?1
      """, key)
  }

  /// Has the monitor look at an account because of what somebody else wrote.
  func requestAttention(for key: Int) throws(StorageError) {
    try database.run("INSERT INTO attention (account) VALUES (?1)", key)
    try noteChange(of: key)
  }

  /// Has the monitor look at all whose responder an account is: what reaches it has changed.
  func requestAttention(forDependentsOf key: Int) throws(StorageError) {
    for table in ["attention", "change"] {
      try database.run(
        """
        INSERT INTO \(table) (account)
          SELECT requester FROM relation
          WHERE addressee = ?1 AND roles & 1 <> 0 AND state = 'active'
          UNION SELECT addressee FROM relation
          WHERE requester = ?1 AND roles & 2 <> 0 AND state = 'active'
        """, key)
    }
  }

  /// The revision of an account that a plan is made from. It grows with each request for attention, too,
  /// in whatever order they come.
  static let revision =
    """
    account.revision + coalesce(
      (SELECT sum(number) FROM attention WHERE attention.account = account.key), 0)
    """

  /// Forgets that others asked for attention.
  func endAttention(of key: Int) throws(StorageError) {
    try database.run("DELETE FROM attention WHERE account = ?1", key)
  }

  /// How many changes are kept. Who has not looked since reads again whatever happened.
  static let keptChanges = 10_000

  func pruneChanges() throws(StorageError) {
    try database.run(
      "DELETE FROM change WHERE number <= (SELECT max(number) FROM change) - ?1", Self.keptChanges)
  }
}

extension Lane {
  /// Up to where changes have been seen.
  func lastChange() throws(StorageError) -> String {
    try database.value(String.self, database.dialect.lastChange) ?? ""
  }

  /// Whether something of an account may have changed since then.
  func hasChanged(_ account: Int, since last: String) throws(StorageError) -> Bool {
    try database.value(Bool.self, database.dialect.hasChanged, account, last) ?? true
  }
}
