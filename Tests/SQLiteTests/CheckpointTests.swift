import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

/// A checkpoint copies the log's pages into the database in order. The first page, which contains
/// the page count, is copied before those that enlarge the file.
@Suite("Fault 26: interrupted checkpoints", .timeLimit(.minutes(1)))
struct CheckpointTests {
  @Test("After a kill at any write of a checkpoint the store opens with nothing lost")
  func killedAtEveryWrite() async throws {
    let (source, killed) = (try Place(), try Place())
    let store = try source.open()
    try await store.openAccount()
    try await store.sql("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0")
    let note = #"{"text":"\#(String(repeating: "x", count: 3_000))"}"#
    for number in 0..<40 {
      _ = try await store.storage.setDocument(
        CollectionPath.drafts.document("d\(number)"), Data(note.utf8), nil)
    }
    _ = try await store.checkIn.checkIn(.manual)
    let database = try #require(source.bytes(source.folders.database))
    let log = try #require(source.bytes(source.folders.database + "-wal"))
    let pages = Self.pages(of: log)
    #expect(pages.count > 40 && pages.keys.max()! * 4_096 > database.count)
    #expect(mkdir(killed.folders.data, 0o700) == 0)
    #expect(mkdir(killed.folders.state, 0o700) == 0)
    try killed.write([], to: killed.folders.storeMarker)
    for count in 0...pages.count {
      var file = database
      for (number, contents) in pages.sorted(by: { $0.key < $1.key }).prefix(count) {
        let start = (number - 1) * 4_096
        file += Array(repeating: 0, count: max(0, start + 4_096 - file.count))
        file.replaceSubrange(start..<start + 4_096, with: contents)
      }
      unlink(killed.folders.database + "-shm")
      try killed.write(file, to: killed.folders.database)
      try killed.write(log, to: killed.folders.database + "-wal")
      let store = try killed.open()
      #expect(try await store.user.currentUser().checkInSequence == 1, "after \(count) writes")
      #expect(try await store.value(Int.self, "SELECT count(*) FROM document") == 40)
      #expect(try await store.value(String.self, "PRAGMA integrity_check") == "ok")
    }
  }

  @Test("Another program's database with a WAL file is refused and left unchanged")
  func foreignWithLog() throws {
    let place = try Place()
    #expect(mkdir(place.folders.data, 0o700) == 0)
    try place.write([], to: place.folders.database)
    let path = try PrivateFiles.resolved(place.folders.data) + "/lifesignal.db"
    do {
      let song = try Database(path: path, access: .readWrite)
      song.keepsLogOnClose = true
      try song.script("PRAGMA journal_mode = WAL; CREATE TABLE song (name TEXT)")
    }
    chmod(path + "-wal", 0o600)
    chmod(path + "-shm", 0o600)
    let files = ["", "-wal"].map { place.bytes(path + $0) }
    #expect(files[1]?.isEmpty == false)
    #expect(
      throws: StorageError.corrupt(
        detail: "\(place.folders.database) isn't a LifeSignal store.")
    ) { try place.open() }
    #expect(["", "-wal"].map { place.bytes(path + $0) } == files)
  }

  @Test("A store can be opened at any moment of another process's checkpoints")
  func besideAnImport() async throws {
    let place = try Place()
    let writer = try place.open()
    try await writer.openAccount()
    let note = #"{"text":"\#(String(repeating: "x", count: 3_000))"}"#
    let writing = Task {
      for number in 0..<400 {
        _ = try await writer.storage.setDocument(
          CollectionPath.drafts.document("d\(number)"), Data(note.utf8), nil)
        if number.isMultiple(of: 10) { try await writer.platform.store.checkpointPassively() }
      }
    }
    var openings = 0
    repeat {
      _ = try place.open()
      openings += 1
    } while openings < 100
    try await writing.value
  }

  /// The last version of each page in a log whose transactions are all committed.
  private static func pages(of log: [UInt8]) -> [Int: [UInt8]] {
    var pages: [Int: [UInt8]] = [:]
    for start in stride(from: 32, to: log.count, by: 24 + 4_096) {
      let number = log[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      pages[number] = Array(log[start + 24..<start + 24 + 4_096])
    }
    return pages
  }
}

extension Store {
  fileprivate func checkpointPassively() throws {
    _ = try database.value(Int.self, "PRAGMA wal_checkpoint(PASSIVE)")
  }
}
