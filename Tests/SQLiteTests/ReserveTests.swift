import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Fault 28: a disk filled by other programs", .timeLimit(.minutes(1)))
struct ReserveTests {
  private func size(_ path: String) -> Int? {
    var information = stat()
    return lstat(path, &information) == 0 ? Int(information.st_size) : nil
  }

  @Test("The store reserves 1 MB of disk, and a monitor restores a reserve that was used")
  func held() async throws {
    let place = try Place()
    let reserve = place.folders.reserve
    let store = try place.open()
    try await store.openAccount()
    #expect(size(reserve) == 1 << 20 && place.mode(reserve) == 0o600)
    unlink(reserve)
    // A monitor recreates it.
    _ = try await store.upkeep.inspect(place.now)
    #expect(size(reserve) == 1 << 20)
  }

  @Test("A write on a full disk frees the reserve and is tried once more")
  func givenBack() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    var failures = 1
    #expect(try await store.platform.store.checkInOnFullDisk(failures) == 2)
    #expect(!place.exists(place.folders.reserve))
    // The reserve is used up.
    failures = 1
    await #expect(throws: StorageError.full) {
      try await store.platform.store.checkInOnFullDisk(failures)
    }
  }

  @Test("The WAL file stays under 1 MiB, and a monitor empties the file")
  func logShrinks() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    let log = place.folders.database + "-wal"
    let note = Data(#"{"text":"\#(String(repeating: "x", count: 200_000))"}"#.utf8)
    _ = try await store.storage.setDocument(CollectionPath.drafts.document("large"), note, nil)
    for number in 0..<300 {
      _ = try await store.checkIn.checkIn(.manual)
      #expect(try #require(size(log)) < 1 << 20, "after \(number) check-ins")
    }
    for _ in 0..<50 where try await store.upkeep.inspect(place.now) != .whole(isLast: true) {}
    #expect(size(log) == 0)
  }
}

extension Store {
  /// Makes a write that fails `failures` times because the disk is full.
  /// - Returns: The number of the attempt that succeeded.
  fileprivate func checkInOnFullDisk(_ failures: Int) throws -> Int {
    var tries = 0
    return try write(StorageError.self) {
      tries += 1
      if tries <= failures { throw StorageError.full }
      return tries
    }
  }
}
