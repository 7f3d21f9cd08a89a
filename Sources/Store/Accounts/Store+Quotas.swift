import Clients
import Domain

/// What an account on a server can have at most (decision 111).
extension Store {
  /// Throws if an account on a server would have more than it can have.
  /// - Parameter count: How many more there would be; of a contact's channels, how many in all.
  func requireRoom(_ quota: Quota, for count: Int, of key: Int) throws {
    guard session.isRemote else { return }
    let there: Int?
    switch quota {
    case .contacts:
      there = try database.value(
        Int.self, "SELECT count(*) FROM contact WHERE account = ?1", key)
    case .ownChannels:
      there = try database.value(
        Int.self, "SELECT count(*) FROM channel WHERE account = ?1 AND contact IS NULL", key)
    case .documents: there = try storedAmount()?.count
    case .documentBytes: there = try storedAmount()?.length
    case .channels, .documentSize: there = 0
    }
    guard (there ?? 0) + count <= quota.limit else { throw ClientError.limitReached(quota) }
  }

  /// Throws if an account that arrives on a server has more than it can have.
  func requireRoom(for arriving: AccountExport) throws(ClientError) {
    guard session.isRemote else { return }
    let lengths = arriving.documents.map(\.json.unicodeScalars.count)
    let amounts: [(Quota, Int)] = [
      (.contacts, arriving.contacts.count),
      (.channels, arriving.contacts.map(\.channels.count).max() ?? 0),
      (.ownChannels, arriving.channels.count), (.documents, lengths.count),
      (.documentSize, arriving.documents.map(\.json.utf8.count).max() ?? 0),
      (.documentBytes, lengths.reduce(0, +)),
    ]
    for (quota, amount) in amounts where amount > quota.limit {
      throw .limitReached(quota)
    }
  }

  /// Returns how many documents an account on a server stores, and their characters, each of which
  /// can be four bytes; `nil` where there is no limit.
  func storedAmount() throws(StorageError) -> (count: Int, length: Int)? {
    guard session.isRemote, let key = try currentKey() else { return nil }
    return try database.row(
      "SELECT count(*), coalesce(sum(length(json)), 0) FROM document WHERE account = ?1", key
    ) { row throws(StorageError) in (try row.read(), try row.read()) }
  }
}
