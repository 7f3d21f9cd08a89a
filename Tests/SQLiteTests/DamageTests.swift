import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Missing, damaged and foreign stores", .timeLimit(.minutes(1)))
struct DamageTests {
  /// A place with a store that was closed properly.
  private func placeWithStore() async throws -> Place {
    let place = try Place()
    try await place.open().openAccount()
    return place
  }

  private func openingError(_ place: Place) -> StorageError? {
    do throws(StorageError) {
      _ = try place.open()
      return nil
    } catch {
      return error
    }
  }

  @Test("A missing store is reported; a new one is made only once the marker file is deleted")
  func missing() async throws {
    let place = try await placeWithStore()
    unlink(place.folders.database)
    #expect(openingError(place) == .missing(path: place.folders.database))
    #expect(!place.exists(place.folders.database))
    // Doing what the error's text suggests creates a new store.
    unlink(place.folders.storeMarker)
    #expect(openingError(place) == nil)
  }

  @Test("A store file of zero bytes is reported as missing and left empty")
  func empty() async throws {
    let place = try await placeWithStore()
    truncate(place.folders.database, 0)
    #expect(openingError(place) == .missing(path: place.folders.database))
    #expect(place.bytes(place.folders.database) == [])
  }

  @Test("A store whose creation was interrupted is created")
  func interrupted() throws {
    let place = try Place()
    #expect(mkdir(place.folders.data, 0o700) == 0)
    try place.write([], to: place.folders.database)
    #expect(openingError(place) == nil)
  }

  @Test("A file that isn't a database is refused and left unchanged")
  func noDatabase() async throws {
    let place = try await placeWithStore()
    for bytes in [
      Array("Dear diary".utf8), Array(repeating: 0, count: 8_192),
      Array("SQLite format 3\0".utf8) + Array(repeating: 0xFF, count: 5_000),
    ] as [[UInt8]] {
      try place.write(bytes, to: place.folders.database)
      guard case .corrupt? = openingError(place) else {
        Issue.record("\(String(describing: openingError(place)))")
        continue
      }
      #expect(place.bytes(place.folders.database) == bytes)
    }
  }

  @Test("Another program's database is refused and left unchanged")
  func foreign() throws {
    let place = try Place()
    #expect(mkdir(place.folders.data, 0o700) == 0)
    try place.write([], to: place.folders.database)
    let path = try PrivateFiles.resolved(place.folders.data) + "/lifesignal.db"
    try Database(path: path, access: .readWrite).script("CREATE TABLE song (name TEXT)")
    let bytes = place.bytes(place.folders.database)
    guard case .corrupt(let detail)? = openingError(place) else {
      Issue.record("\(String(describing: openingError(place)))")
      return
    }
    #expect(detail.contains("isn't a LifeSignal store"))
    #expect(place.bytes(place.folders.database) == bytes)
    #expect(!place.exists(place.folders.storeMarker))
  }

  @Test("A truncated database is refused and left unchanged")
  func truncated() async throws {
    let place = try await placeWithStore()
    truncate(place.folders.database, 3 * 4_096)
    let bytes = place.bytes(place.folders.database)
    guard case .corrupt? = openingError(place) else {
      Issue.record("\(String(describing: openingError(place)))")
      return
    }
    #expect(place.bytes(place.folders.database) == bytes)
  }

  @Test("A store with a damaged schema is refused")
  func damagedSchema() async throws {
    let place = try await placeWithStore()
    do {
      let store = try place.open()
      try await store.sql(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = 999 WHERE name = 'contact'
        """)
    }
    guard case .corrupt? = openingError(place) else {
      Issue.record("\(String(describing: openingError(place)))")
      return
    }
  }

  @Test("After a kill, damage inside the database is found, and the files are left unchanged")
  func uncleanEnd() async throws {
    let place = try Place()
    let database = place.folders.database
    let killed = try Place()
    do {
      let store = try place.open()
      try await store.openAccount()
      for number in 0..<200 {
        place.advance(.minutes(2))
        _ = try await store.storage.setDocument(
          CollectionPath.drafts.document("d\(number)"),
          Data(#"{"text":"\#(String(repeating: "x", count: 400))"}"#.utf8), nil)
      }
      _ = try await store.platform.store.checkpoint()
      _ = try await store.checkIn.checkIn(.manual)
      // The files as a killed process leaves them.
      #expect(mkdir(killed.folders.data, 0o700) == 0)
      #expect(mkdir(killed.folders.state, 0o700) == 0)
      for suffix in ["", "-wal"] {
        try killed.write(place.bytes(database + suffix)!, to: killed.folders.database + suffix)
      }
      try killed.write([], to: killed.folders.storeMarker)
    }
    let whole = killed.bytes(killed.folders.database)!
    let log = killed.bytes(killed.folders.database + "-wal")!
    do {
      let store = try killed.open()
      #expect(try await store.user.currentUser().checkInSequence == 1)
    }
    var damaged = whole
    let page = damaged.count / 4_096 / 2
    for index in page * 4_096..<page * 4_096 + 64 { damaged[index] = 0xA5 }
    try killed.write(damaged, to: killed.folders.database)
    try killed.write(log, to: killed.folders.database + "-wal")
    guard case .corrupt(let detail)? = openingError(killed) else {
      Issue.record("\(String(describing: openingError(killed)))")
      return
    }
    #expect(detail.contains("did not pass the check"))
    #expect(killed.bytes(killed.folders.database) == damaged)
    #expect(killed.bytes(killed.folders.database + "-wal") == log)
  }

  @Test("ESC-6: after a kill, a store with an impossible value still opens")
  func uncleanEndWithImpossibleValue() async throws {
    let place = try Place()
    let killed = try Place()
    do {
      let store = try place.open()
      try await store.openAccount()
      try await store.sql(
        "PRAGMA ignore_check_constraints = ON; UPDATE account SET check_in_sequence = -7")
      #expect(mkdir(killed.folders.data, 0o700) == 0)
      #expect(mkdir(killed.folders.state, 0o700) == 0)
      for suffix in ["", "-wal"] {
        let database = place.folders.database + suffix
        try killed.write(place.bytes(database)!, to: killed.folders.database + suffix)
      }
      try killed.write([], to: killed.folders.storeMarker)
    }
    // An impossible value in a row isn't damage, so the store opens.
    #expect(openingError(killed) == nil)
  }

  @Test("A store with a newer schema is refused and left unchanged")
  func newerSchema() async throws {
    let place = try await placeWithStore()
    do {
      let store = try place.open()
      try await store.sql("PRAGMA user_version = 99")
    }
    let bytes = place.bytes(place.folders.database)
    #expect(openingError(place) == .newerSchema(found: 99, known: Schema.current.version))
    #expect(place.bytes(place.folders.database) == bytes)
    #expect(!place.exists(place.folders.database + "-wal"))
  }

  @Test("A store that a newer program is using is refused, and its log left unchanged")
  func newerSchemaInLog() async throws {
    let place = try await placeWithStore()
    let store = try place.open()
    try await store.sql("PRAGMA user_version = 99")
    let log = place.bytes(place.folders.database + "-wal")
    #expect(log?.isEmpty == false)
    #expect(openingError(place) == .newerSchema(found: 99, known: Schema.current.version))
    #expect(place.bytes(place.folders.database + "-wal") == log)
    _ = store
  }

  @Test("Setting a store aside keeps its files under another name and starts a new store")
  func setAside() async throws {
    let place = try await placeWithStore()
    let garbage = Array("damaged".utf8)
    try place.write(garbage, to: place.folders.database)
    try place.write([1], to: place.folders.database + "-wal")
    let aside = try #require(
      try EmbeddedPlatform.setAside(folders: place.folders, now: place.now))
    #expect(aside == place.folders.database + ".set-aside-20261118T110640Z")
    #expect(place.bytes(aside) == garbage)
    #expect(place.bytes(aside + "-wal") == [1])
    let store = try place.open()
    #expect(try await store.auth.currentUserID() == nil)
  }

  @Test("A store that is in use can't be set aside")
  func setAsideInUse() async throws {
    let place = try await placeWithStore()
    let store = try place.open()
    #expect(throws: StorageError.busy) {
      try EmbeddedPlatform.setAside(folders: place.folders, now: place.now)
    }
    _ = try await store.checkIn.checkIn(.manual)
  }

  @Test("Setting aside two stores at the same time of day keeps both")
  func setAsideTwice() async throws {
    let place = try await placeWithStore()
    let one = try #require(
      try EmbeddedPlatform.setAside(folders: place.folders, now: place.now))
    try await place.open().openAccount()
    let two = try #require(
      try EmbeddedPlatform.setAside(folders: place.folders, now: place.now))
    #expect(one != two)
    #expect(place.exists(one))
    #expect(place.exists(two))
  }

  @Test("A store without its marker is set aside too")
  func setAsideWithoutMarker() async throws {
    let place = try Place()
    try await place.open().openAccount()
    #expect(unlink(place.folders.storeMarker) == 0)
    let aside = try EmbeddedPlatform.setAside(folders: place.folders, now: place.now)
    #expect(aside.map(place.exists) == true && !place.exists(place.folders.database))
  }
}

extension Store {
  fileprivate func checkpoint() throws -> Int? {
    try database.value(Int.self, "PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
