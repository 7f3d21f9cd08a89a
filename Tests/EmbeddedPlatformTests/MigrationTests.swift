import Clients
import Domain
import FoundationEssentials
import Testing

@testable import EmbeddedPlatform

@Suite("Migrations", .timeLimit(.minutes(1)))
struct MigrationTests {
  private static let second = Schema(
    scripts: Schema.current.scripts + [
      Array("ALTER TABLE account ADD COLUMN paused_until INTEGER".utf8)
    ])

  @Test("An older store is brought up to date, and a copy of it is kept")
  func migrates() async throws {
    let place = try Place()
    let user = try await place.open().openAccount()
    let copy = place.folders.database + ".before-schema2"
    do {
      let store = try place.open(schema: Self.second)
      #expect(try await store.value(Int.self, "PRAGMA user_version") == 2)
      #expect(try await store.value(Int.self, "SELECT count(paused_until) FROM account") == 0)
      #expect(try await store.user.currentUser() == user)
    }
    #expect(place.mode(copy) == 0o600)
    let old = try Database(path: PrivateFiles.resolved(copy), access: .immutable)
    #expect(try Schema.version(of: old) == 1)
    #expect(try Schema.applicationID(of: old) == Schema.applicationID)
    #expect(try old.value(Int.self, "SELECT count(*) FROM account") == 1)
    #expect(throws: StorageError.newerSchema(found: 2, known: 1)) { try place.open() }
  }

  @Test("A new store takes every step without a copy")
  func fresh() async throws {
    let place = try Place()
    let store = try place.open(schema: Self.second)
    try await store.openAccount()
    #expect(try await store.value(Int.self, "PRAGMA user_version") == 2)
    #expect(!place.exists(place.folders.database + ".before-schema2"))
  }

  @Test("A step that fails leaves the store as it was")
  func fails() async throws {
    let place = try Place()
    let user = try await place.open().openAccount()
    let broken = Schema(
      scripts: Schema.current.scripts + [
        Array("ALTER TABLE account ADD COLUMN paused_until INTEGER; DROP TABLE nothing;".utf8)
      ])
    #expect(throws: StorageError.self) { try place.open(schema: broken) }
    let store = try place.open()
    #expect(try await store.value(Int.self, "PRAGMA user_version") == 1)
    #expect(try await store.user.currentUser() == user)
    #expect(
      try await store.value(
        Int.self, "SELECT count(*) FROM pragma_table_info('account') WHERE name = 'paused_until'")
        == 0)
  }
}
