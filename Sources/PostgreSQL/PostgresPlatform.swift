public import Clients
public import FoundationEssentials
package import Store

/// A store in a PostgreSQL database, used by any number of servers and monitors together.
///
/// Its tables are created and changed by ``migrate(_:)`` alone, never by opening it.
public struct PostgresPlatform: Sendable {
  private let database: ConnectionString
  private let now: (@Sendable () -> Date)?
  private var hints: (any StoreHints)?

  /// - Parameter now: The store's clock, for tests; `nil` for the database's, on which all machines
  ///   agree.
  public init(_ database: ConnectionString, now: (@Sendable () -> Date)? = nil) {
    self.database = database
    self.now = now
  }

  /// The same store, whose lanes exchange hints of their writes with other programs.
  package var withHints: PostgresPlatform {
    var platform = self
    platform.hints = ChangeHints(database)
    return platform
  }

  /// Opens another connection, with its own thread. This blocks for up to nine seconds.
  /// - Throws: ``StorageError/missing(path:)`` for a database that was never migrated,
  ///   ``StorageError/newerSchema(found:known:)``, ``StorageError/permissionDenied(_:)``.
  package func makeLane(
    spools: [any SpoolFolder] = [], waits: Bool = false
  ) throws(StorageError) -> Lane {
    let (place, clock) = makePlace(spools: spools)
    return try Lane(place, waits: waits, now: clock)
  }

  /// Returns a place for one lane, and the clock that goes with it.
  package func makePlace(
    spools: [any SpoolFolder] = []
  ) -> (place: PostgresPlace, now: @Sendable () -> Date) {
    if let now {
      return (PostgresPlace(database, clock: nil, spools: spools, hints: hints), now)
    }
    let clock = DatabaseClock()
    return (
      PostgresPlace(database, clock: clock, spools: spools, hints: hints), { clock.now }
    )
  }

  /// Creates the tables and roles, or migrates them to this program's version; for an
  /// administrator.
  /// - Returns: The version before, 0 for none, and the present one. A newer one that this program
  ///   can work with stays as it is.
  public static func migrate(
    _ database: ConnectionString
  ) throws(StorageError) -> (from: Int, to: Int) {
    try migrate(database, further: [])
  }

  /// Creates the roles where they are missing, before a dump is restored; for an administrator.
  /// - Returns: `false` for a database that has a store already.
  package static func prepareRestore(
    _ database: ConnectionString
  ) throws(StorageError) -> Bool {
    try PostgresSchema.prepareRestore(try PostgresConnection(database))
  }

  /// - Parameter further: Scripts of versions to come, for tests.
  package static func migrate(
    _ database: ConnectionString, further: [String]
  ) throws(StorageError) -> (from: Int, to: Int) {
    try PostgresSchema(further: further).migrate(try PostgresConnection(database))
  }
}
