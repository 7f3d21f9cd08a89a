package import Clients
import Cryptography
import Domain
import FoundationEssentials

extension Lane {
  /// Calls the body whenever anyone has changed something, with the accounts that it concerns, or
  /// `nil` for all if that isn't known any more. It never ends.
  /// - Parameter body: Runs on the lane's executor, and must not take long. It gets the cursor
  ///   after these changes.
  package func follow(_ body: @escaping @Sendable (_ accounts: [Int]?, _ cursor: String) -> Void) {
    executor.perform(.ordinary) { [self] in
      // Changes before now are of no interest.
      var last = (try? lastChange()) ?? ""
      addReader(Observers.nextID()) { [weak self] in
        guard let self, let now = try? lastChange(), now != last, let cursor = try? cursor(now)
        else { return }
        // A change between the two queries is reported again with the next one.
        let accounts = try? changedAccounts(since: last)
        last = now
        guard accounts?.isEmpty != true else { return }
        body(accounts, cursor)
      }
    }
  }

  /// Returns `nil` if changes since then are no longer kept.
  private func changedAccounts(since last: String) throws(StorageError) -> [Int]? {
    guard try !areChangesForgotten(since: last) else { return nil }
    return try database.column(Int.self, database.dialect.changedAccounts, last)
  }

  private func areChangesForgotten(since last: String) throws(StorageError) -> Bool {
    try database.value(Bool.self, database.dialect.areChangesForgotten, last) ?? true
  }

  // MARK: Cursors

  /// Seals a position for a reader elsewhere. The distance between two plain numbers would show how
  /// much was written, and so whether a check-in was one under duress.
  fileprivate func cursor(_ last: String) throws(StorageError) -> String {
    try cursorBox().seal(last)
  }

  /// Returns the position that a cursor stands for; `nil` for a cursor of another store.
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
  /// The state of a reader that waits for a change.
  package enum Waiting: Equatable, Sendable {
    case nobody
    /// Something may have changed already; the cursor is after it.
    case changed(after: String)
    /// The reader waits for the next change of this account.
    case account(Int)
  }

  /// Finds out which account a reader waits for, and whether it must wait.
  /// - Parameter cursor: The cursor after the last change that they know of; `nil` if they know
  ///   none.
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
