import Clients

/// Recording which accounts have changed. What one account's program writes reaches others as rows
/// that are added, never by changing theirs, so that two people of one circle never wait for each
/// other.
extension Store {
  /// Records an account's own change that can affect the planner: the monitor checks the account
  /// next.
  func touch(_ key: Int) throws(StorageError) {
    try database.run("UPDATE account SET \(Self.touched) WHERE key = ?1", key)
    try noteChange(of: key)
  }

  /// Records a change of a silent alert: the monitor checks the account next, and nobody of its
  /// person is woken. How often a waiting device is answered can be seen on the network (CHK-3).
  func touchUnseen(_ key: Int) throws(StorageError) {
    try database.run("UPDATE account SET \(Self.touched) WHERE key = ?1", key)
    try noteUnseenChange()
  }

  /// The columns that such a change sets, besides those that it is about.
  static let touched = "revision = revision + 1, attention_at = 0"

  /// Records changes of several accounts, with as many statements as for one.
  /// - Parameter isDue: Whether the monitor checks them next.
  func touch(all changes: [MessageChange], isDue: Bool) throws(StorageError) {
    guard !changes.isEmpty else { return }
    let list = Set(changes.map(\.account)).sorted().json
    let seen = Set(changes.filter { !$0.isHidden }.map(\.account)).sorted()
    let attention = isDue ? ", attention_at = 0" : ""
    try database.run(
      """
      UPDATE account SET revision = revision + 1\(attention)
      WHERE key IN (SELECT listed.value FROM json_each(?1) AS listed)
      """, list)
    guard !seen.isEmpty else { return try noteUnseenChange() }
    try database.run(
      "INSERT INTO change (account) SELECT listed.value FROM json_each(?1) AS listed", seen.json)
  }

  /// A change of a message.
  struct MessageChange {
    var account: Int
    /// Whether it is of a silent alert, which its person must not see.
    var isHidden: Bool
  }

  /// Records a change that concerns monitors alone: no account has this key.
  private func noteUnseenChange() throws(StorageError) { try noteChange(of: 0) }

  /// Makes the observers of the account read again. The monitor doesn't check it.
  func noteChange(of key: Int) throws(StorageError) {
    try database.run("INSERT INTO change (account) VALUES (?1)", key)
  }

  /// Records a change that the other sides of an account's relations can see.
  func noteChange(forPeersOf key: Int) throws(StorageError) {
    try database.run(
      """
      INSERT INTO change (account)
        SELECT addressee FROM relation WHERE requester = ?1
        UNION SELECT requester FROM relation WHERE addressee = ?1
      """, key)
  }

  /// Records a change that the account's person and the other sides of its relations can see.
  func noteChange(ofCircleOf key: Int) throws(StorageError) {
    try database.run(
      """
      INSERT INTO change (account)
        SELECT ?1
        UNION ALL SELECT addressee FROM relation WHERE requester = ?1
        UNION ALL SELECT requester FROM relation WHERE addressee = ?1
      """, key)
  }

  /// Makes the monitor check an account because of another account's change.
  /// - Parameter isSeen: Whether its person can see the change.
  func requestAttention(for key: Int, isSeen: Bool = true) throws(StorageError) {
    try database.run("INSERT INTO attention (account) VALUES (?1)", key)
    if isSeen { try noteChange(of: key) } else { try noteUnseenChange() }
  }

  /// Makes the monitor check everyone that an account responds for, because its channels have
  /// changed.
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

  /// The revision of an account that a plan is made from. It also grows with each request for
  /// attention, in whatever order they come.
  static let revision =
    """
    account.revision + coalesce(
      (SELECT sum(number) FROM attention WHERE attention.account = account.key), 0)
    """

  /// Deletes the requests for attention that others made.
  func endAttention(of key: Int) throws(StorageError) {
    try database.run("DELETE FROM attention WHERE account = ?1", key)
  }

  /// The number of changes that are kept. An observer that hasn't looked since reads everything
  /// again.
  static let keptChanges = 10_000

  func pruneChanges() throws(StorageError) {
    try database.run(
      "DELETE FROM change WHERE number <= (SELECT max(number) FROM change) - ?1", Self.keptChanges)
  }
}

extension Lane {
  /// Returns the position of the last change.
  func lastChange() throws(StorageError) -> String {
    try database.value(String.self, database.dialect.lastChange) ?? ""
  }

  /// Returns whether something of an account may have changed since a position.
  func hasChanged(_ account: Int, since last: String) throws(StorageError) -> Bool {
    try database.value(Bool.self, database.dialect.hasChanged, account, last) ?? true
  }
}
