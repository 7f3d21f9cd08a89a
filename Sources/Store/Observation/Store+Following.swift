package import Clients
import Domain
import FoundationEssentials

extension Lane {
  /// Tells whenever something has changed, by anyone, for which accounts; `nil` for all, where nobody can
  /// say any more. It never ends.
  /// - Parameter body: Runs on the lane's executor, and must not take long.
  package func follow(_ body: @escaping @Sendable (_ accounts: [Int]?, _ last: Int) -> Void) {
    executor.perform(.ordinary) { [self] in
      // Nothing before now was asked about.
      var last = (try? lastChange()) ?? 0
      addReader(Observers.nextID()) { [weak self] in
        guard let self, let now = try? lastChange() else { return }
        // The same number may stand for more by now: an engine may count from its oldest transaction.
        let accounts = try? changedAccounts(since: last)
        last = now
        guard accounts?.isEmpty != true else { return }
        body(accounts, now)
      }
    }
  }

  /// `nil` where changes since then were forgotten.
  private func changedAccounts(since number: Int) throws(StorageError) -> [Int]? {
    guard try !areChangesForgotten(since: number) else { return nil }
    return try database.rows(database.dialect.changedAccounts, number) {
      row throws(StorageError) in try row.read()
    }
  }

  private func areChangesForgotten(since number: Int) throws(StorageError) -> Bool {
    try database.value(Bool.self, database.dialect.areChangesForgotten, number) ?? true
  }
}

extension Store {
  /// The last change that a waiting reader has seen.
  package enum Waiting: Equatable, Sendable {
    case nobody
    /// Something has changed already.
    case changed(after: Int)
    /// They wait for the next change of this account after a number.
    case account(Int, seen: Int)
  }

  /// Finds out who waits, and for what. What the body does happens before any further change is announced.
  /// - Parameter number: The last change that they know of; `nil` where they know none.
  package func wait(
    after number: Int?, _ body: @Sendable (Waiting) -> Void
  ) throws(ClientError) {
    body(
      try read {
        guard let account = try currentKey() else { return .nobody }
        let last = try lane.lastChange()
        guard let number, number <= last,
          try number == last || !lane.hasChanged(account, since: number)
        else { return .changed(after: last) }
        return .account(account, seen: last)
      })
  }
}
