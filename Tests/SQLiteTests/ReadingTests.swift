import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Read-only stores", .timeLimit(.minutes(1)))
struct ReadingTests {
  /// A store whose last changes are in its log, and which its owner can't write.
  private func unwritable() async throws -> Place {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.alerts.raise("fell")
    for suffix in ["", "-wal"] {
      let path = place.folders.database + suffix
      try place.write(try #require(place.bytes(path)), to: path + ".copy")
    }
    for suffix in ["", "-wal"] {
      let path = place.folders.database + suffix
      unlink(path)
      #expect(rename(path + ".copy", path) == 0 && chmod(path, 0o400) == 0)
    }
    unlink(place.folders.database + "-shm")
    return place
  }

  @Test("A read-only store shows its latest changes, and takes writes once its files are writable")
  func read() async throws {
    let place = try await unwritable()
    #expect(throws: StorageError.self) { try place.open() }
    let store = try place.open(waits: true)
    #expect(try await store.user.currentUser().profile.name == "Ida")
    #expect(try await store.alerts.history(9).map(\.alert.message) == ["fell"])
    await #expect(throws: ClientError.self) { try await store.checkIn.checkIn(.manual) }
    for suffix in ["", "-wal", "-shm"] { chmod(place.folders.database + suffix, 0o600) }
    place.advance(.seconds(90))
    _ = try await store.checkIn.checkIn(.manual)
    #expect(try await store.user.currentUser().lastCheckIn == place.now)
  }

  @Test("A read-only store that others can read isn't opened")
  func exposed() async throws {
    let place = try await unwritable()
    chmod(place.folders.database, 0o444)
    let store = try place.open(waits: true)
    await #expect(throws: ClientError.self) { try await store.user.currentUser() }
  }

  @Test("A copy of the store in memory has the changes in the WAL and leaves no file")
  func copy() async throws {
    let place = try await unwritable()
    #expect(mkdir(place.root + "/memory", 0o700) == 0)
    let path = try PrivateFiles.resolved(place.folders.data) + "/lifesignal.db"
    let copy = try StoreFile(place.folders).openCopy(
      of: path, in: place.folders.volatileSpools[1])
    #expect(try copy.value(String.self, "SELECT message FROM alert") == "fell")
    #expect(try PrivateFiles.names(in: place.folders.volatileSpools[1]) == [])
    #expect(throws: StorageError.self) { try copy.run("DELETE FROM alert") }
  }
}
