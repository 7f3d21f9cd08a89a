import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("SQLite result codes", .timeLimit(.minutes(1)))
struct ResultCodeTests {
  @Test("SQLITE_IOERR_SHMSIZE counts as a full disk, other I/O errors don't")
  func sharedMemory() {
    // SQLITE_IOERR_SHMSIZE and its neighbours.
    #expect(StorageError(sqlite: 10 | 19 << 8, message: "disk I/O error") == .full)
    for code: Int32 in [10, 10 | 18 << 8, 10 | 20 << 8] {
      #expect(
        StorageError(sqlite: code, message: "disk I/O error")
          == .unknown("disk I/O error (SQLite \(code))"))
    }
  }

  @Test(
    "Each SQLite result code maps to its StorageError",
    arguments: [
      (13, .full), (5, .busy), (6, .busy), (11, .corrupt(detail: "SQLite says: no.")),
      (26, .corrupt(detail: "SQLite says: no.")), (8, .permissionDenied("no")),
      (14, .permissionDenied("no")), (3, .permissionDenied("no")), (23, .permissionDenied("no")),
      (19, .serialization("no")), (20, .serialization("no")), (18, .serialization("no")),
      (1, .unknown("no (SQLite 1)")),
    ] as [(Int32, StorageError)])
  func kinds(code: Int32, error: StorageError) {
    #expect(StorageError(sqlite: code, message: "no") == error)
    // Extended codes add a byte.
    if error != .unknown("no (SQLite 1)") {
      #expect(StorageError(sqlite: code | 99 << 8, message: "no") == error)
    }
  }

  @Test("After an I/O error the store is opened again, and the next check-in works")
  func reopened() async throws {
    let place = try Place()
    let store = try place.open()
    let user = try await store.openAccount()
    // Reads through these descriptors now fail.
    let path = try PrivateFiles.resolved(place.folders.database)
    let broken = open("/dev/null", O_WRONLY | O_CLOEXEC)
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name)
      if let descriptor = Int32(name), target == path || target == path + "-wal" {
        dup2(broken, descriptor)
      }
    }
    close(broken)
    await #expect(throws: ClientError.self) { try await store.checkIn.checkIn(.manual) }
    _ = try await store.checkIn.checkIn(.manual)
    #expect(try await store.user.currentUser().checkInSequence == user.checkInSequence + 1)
  }
}
