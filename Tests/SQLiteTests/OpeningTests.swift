import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Opening the store", .timeLimit(.minutes(1)))
struct OpeningTests {
  @Test("The store's folders are created with mode 0700, its files with 0600")
  func modes() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    try await store.keychain.set("a", "b")
    let folders = place.folders
    #expect(place.mode(folders.data) == 0o700)
    #expect(place.mode(folders.state) == 0o700)
    for file in [
      folders.database, folders.database + "-wal", folders.database + "-shm",
      folders.database + "-lock", folders.storeMarker, folders.secrets,
    ] {
      #expect(place.mode(file) == 0o600, "\(file)")
    }
    #expect(!place.exists(folders.config))
  }

  @Test("Closing the store removes its WAL file, and the store can be opened again")
  func closed() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.upkeep.inspect(place.now)
    #expect(place.exists(place.folders.database + "-wal"))
    await store.upkeep.close()
    #expect(!place.exists(place.folders.database + "-wal"))
    await #expect(throws: (any Error).self) { try await store.user.currentUser() }
    _ = try await place.open().user.currentUser()
  }

  @Test("Folders and files of the store that others can open are refused, with the chmod to run")
  func looseModes() throws {
    let place = try Place()
    let folders = place.folders
    _ = try place.open()
    let cases: [(String, mode_t, mode_t, String)] = [
      (folders.data, 0o750, 0o700, "chmod 700"), (folders.state, 0o701, 0o700, "chmod 700"),
      (folders.database, 0o640, 0o600, "chmod 600"), (folders.database, 0o602, 0o600, "chmod 600"),
      (folders.storeMarker, 0o604, 0o600, "chmod 600"),
    ]
    for (path, loose, tight, command) in cases {
      chmod(path, loose)
      do {
        _ = try place.open()
        Issue.record("\(path) was accepted with \(String(loose, radix: 8))")
      } catch {
        guard case .permissionDenied(let detail) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(detail.contains("`\(command) \(path)`"))
      }
      #expect(place.mode(path) == loose)
      chmod(path, tight)
    }
    _ = try place.open()
  }

  @Test("Symbolic links in place of the store's folders and files are refused")
  func symbolicLinks() throws {
    let place = try Place()
    let folders = place.folders
    _ = try place.open()
    for path in [folders.data, folders.state, folders.database, folders.storeMarker] {
      let elsewhere = place.root + "/elsewhere"
      #expect(rename(path, elsewhere) == 0)
      #expect(symlink(elsewhere, path) == 0)
      #expect(throws: StorageError.self) { try place.open() }
      do { _ = try place.open() } catch {
        guard case .permissionDenied = error else {
          Issue.record("\(path): \(error)")
          continue
        }
      }
      unlink(path)
      rename(elsewhere, path)
    }
    _ = try place.open()
  }

  @Test("A symbolic link to nowhere isn't followed to create a store there")
  func danglingLink() throws {
    let place = try Place()
    #expect(mkdir(place.folders.data, 0o700) == 0)
    #expect(symlink(place.root + "/stolen.db", place.folders.database) == 0)
    #expect(throws: StorageError.self) { try place.open() }
    #expect(!place.exists(place.root + "/stolen.db"))
  }

  @Test("A folder above the store can be a symbolic link")
  func linkAbove() throws {
    let place = try Place()
    #expect(mkdir(place.root + "/disk", 0o755) == 0)
    #expect(symlink(place.root + "/disk", place.root + "/home") == 0)
    let folders = Folders(
      data: place.root + "/home/share/lifesignal", config: place.root + "/home/config",
      state: place.root + "/home/state/lifesignal")
    _ = try EmbeddedPlatform(folders: folders)
    #expect(place.exists(place.root + "/disk/share/lifesignal/lifesignal.db"))
  }

  @Test("A reopened store has its account, uses WAL and synchronizes every write")
  func reopened() async throws {
    let place = try Place()
    let user = try await place.open().openAccount()
    let store = try place.open()
    #expect(try await store.user.currentUser() == user)
    #expect(try await store.value(String.self, "PRAGMA journal_mode") == "wal")
    #expect(try await store.value(Int.self, "PRAGMA synchronous") == 2)
    #expect(try await store.value(Int.self, "PRAGMA foreign_keys") == 1)
    #expect(try await store.value(Int.self, "PRAGMA user_version") == Schema.current.version)
    #expect(try await store.value(Int.self, "PRAGMA application_id") == Schema.applicationID)
    #expect(try await store.value(Int.self, "PRAGMA busy_timeout") == 5_000)
  }

  @Test("Four programs that create the store at once share one store")
  func concurrently() async throws {
    let place = try Place()
    let opened = try await withThrowingTaskGroup(of: Opened.self) { group in
      for _ in 1...4 { group.addTask { try place.open() } }
      var opened: [Opened] = []
      for try await store in group { opened.append(store) }
      return opened
    }
    let user = try await opened[0].openAccount()
    for store in opened { #expect(try await store.user.currentUser() == user) }
    await #expect(throws: ClientError.accountExists) { try await opened[1].openAccount() }
  }
}
