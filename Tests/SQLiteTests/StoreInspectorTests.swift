import Clients
import Domain
import FoundationEssentials
import Testing

@testable import SQLite
@testable import Store

@Suite("Inspection of a whole store", .timeLimit(.minutes(1)))
struct StoreInspectorTests {
  private static let overlooked = StoreInspection.rebuilt(
    fault: "SQLite met damage that its check overlooks")

  /// Inspects the store until all rows have been compared.
  /// - Returns: The number of inspections.
  private func round(_ inspector: StoreInspector, of place: Place) async throws -> Int {
    var looks = 1
    while try await inspector.inspect(now: place.now, isThorough: false) == .whole(isLast: false) {
      looks += 1
    }
    return looks
  }

  @Test(
    "Damage that SQLite's check overlooks is rebuilt once a round, then reported"
  )
  func overlookedDamage() async throws {
    let place = try Place()
    try await place.open().openAccount()
    let inspector = StoreInspector(StoreFile(place.folders))
    // After a round without damage, a rebuild is allowed again.
    for _ in 1...2 {
      #expect(try await inspector.inspect(now: place.now, isThorough: true) == Self.overlooked)
      _ = try await round(inspector, of: place)
    }
    #expect(try await inspector.inspect(now: place.now, isThorough: true) == Self.overlooked)
    #expect(
      try await inspector.inspect(now: place.now, isThorough: true)
        == .damaged(fault: "SQLite met damage that its check overlooks"))
  }

  @Test("Damage that a backup met causes one thorough inspection and a rebuild")
  func suspicion() async throws {
    let place = try Place()
    try await place.open().openAccount()
    let inspector = StoreInspector(StoreFile(place.folders))
    await inspector.suspect()
    #expect(try await inspector.inspect(now: place.now, isThorough: false) == Self.overlooked)
    #expect(
      try await inspector.inspect(now: place.now, isThorough: false) == .whole(isLast: false))
  }

  @Test("An inspection compares 500 rows at a time")
  func pieces() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let inspector = StoreInspector(StoreFile(place.folders))
    let before = try await round(inspector, of: place)
    try await store.sql(
      """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1500)
      INSERT INTO notification (account, id, kind, subject, detail, at, is_read)
      SELECT 1, printf('00000000-0000-0000-0000-%012x', n), 'info', '', '', 1795000000000, 0
      FROM number
      """)
    #expect(try await round(inspector, of: place) == before + 3)
  }
}
