package import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Lane {
  /// Tells whenever something has changed, by anyone, for which accounts; `nil` for all, where nobody can
  /// say any more. It never ends.
  /// - Parameter body: Runs on the lane's executor, and must not take long. It gets the cursor behind these
  ///   changes.
  package func follow(_ body: @escaping @Sendable (_ accounts: [Int]?, _ cursor: String) -> Void) {
    executor.perform(.ordinary) { [self] in
      // Nothing before now was asked about.
      var last = (try? lastChange()) ?? ""
      addReader(Observers.nextID()) { [weak self] in
        guard let self, let now = try? lastChange(), now != last, let cursor = try? cursor(now)
        else { return }
        // What comes between the two comes again with the next.
        let accounts = try? changedAccounts(since: last)
        last = now
        guard accounts?.isEmpty != true else { return }
        body(accounts, cursor)
      }
    }
  }

  /// `nil` where changes since then were forgotten.
  private func changedAccounts(since last: String) throws(StorageError) -> [Int]? {
    guard try !areChangesForgotten(since: last) else { return nil }
    return try database.column(Int.self, database.dialect.changedAccounts, last)
  }

  private func areChangesForgotten(since last: String) throws(StorageError) -> Bool {
    try database.value(Bool.self, database.dialect.areChangesForgotten, last) ?? true
  }

  // MARK: Cursors

  /// What a reader elsewhere holds instead of ``lastChange()``: how far the numbers go from one to the next says how
  /// much was written, and so whether a check-in was one under duress.
  fileprivate func cursor(_ last: String) throws(StorageError) -> String {
    try cursorBox().seal(last)
  }

  /// What a cursor stands for; `nil` for one of another store.
  fileprivate func change(at cursor: String) throws(StorageError) -> String? {
    try cursorBox().open(cursor)
  }

  private func cursorBox() throws(StorageError) -> SecretBox {
    if let box = cursorSeal { return box }
    var box = SecretBox()
    if let secret = database.dialect.secret, let text = try database.value(String.self, secret) {
      box = SecretBox(secret: text, for: "changes")
    }
    cursorSeal = box
    return box
  }
}

extension Store {
  /// What a reader waits for.
  package enum Waiting: Equatable, Sendable {
    case nobody
    /// Something may have changed already; the cursor is behind it.
    case changed(after: String)
    /// They wait for the next change of this account.
    case account(Int)
  }

  /// Finds out who waits, and for what.
  /// - Parameter cursor: Behind the last change that they know of; `nil` where they know none.
  package func waiting(after cursor: String?) throws(ClientError) -> Waiting {
    try read {
      guard let account = try currentKey() else { return .nobody }
      if let cursor, let last = try lane.change(at: cursor),
        try !lane.hasChanged(account, since: last)
      {
        return .account(account)
      }
      return .changed(after: try lane.cursor(lane.lastChange()))
    }
  }
}
