import Clients
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("Private files")
struct PrivateFilesTests {
  private func refusal(_ body: () throws(StorageError) -> Void) -> String? {
    do throws(StorageError) { try body() } catch {
      if case .permissionDenied(let detail) = error { return detail }
    }
    return nil
  }

  @Test("A symbolic link or pipe in place of a private file is refused, and named as such")
  func kinds() throws {
    let place = try Place()
    let path = place.root + "/entry"
    #expect(symlink("/etc/passwd", path) == 0)
    #expect(
      refusal { () throws(StorageError) in _ = try PrivateFiles.entry(path) }
        == "\(path) is a symbolic link, which could lead anywhere; move what it points to here")
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(
      refusal { () throws(StorageError) in _ = try PrivateFiles.entry(path) }
        == "\(path) is neither a file nor a folder")
  }

  @Test("A store with a file that can't be written is refused, with the chmod to run")
  func readOnly() async throws {
    let place = try Place()
    try await place.open().openAccount()
    for suffix in ["", "-shm"] {
      let path = place.folders.database + suffix
      if !place.exists(path) { try place.write([], to: path) }
      #expect(chmod(path, 0o400) == 0)
      #expect(
        refusal { () throws(StorageError) in _ = try place.open() }
          == "you can't write \(path); open it with `chmod 600 \(path)`")
      #expect(chmod(path, 0o600) == 0)
    }
    _ = try place.open()
  }

  @Test("A private file of 1 MiB is read, and a larger one is refused")
  func sizes() throws {
    let place = try Place()
    let path = place.root + "/file"
    try place.write(Array(repeating: 7, count: 1 << 20), to: path)
    #expect(try PrivateFiles.contents(of: path)?.count == 1 << 20)
    try place.write(Array(repeating: 7, count: (1 << 20) + 1), to: path)
    #expect(throws: StorageError.serialization("\(path) is too large")) {
      // Compare only the count, since a failure would print every byte.
      try PrivateFiles.contents(of: path)?.count
    }
  }

  @Test("Root creates no folder in another user's home", .enabled(if: geteuid() == 0))
  func rootInAnothersHome() throws {
    let place = try Place()
    let home = place.root + "/home"
    #expect(mkdir(home, 0o700) == 0 && chown(home, 12_345, 12_345) == 0)
    let detail = refusal { () throws(StorageError) in
      try PrivateFiles.makeFolder(home + "/share/lifesignal")
    }
    #expect(detail?.hasPrefix("\(home) belongs to another user") == true)
    #expect(!place.exists(home + "/share"))
  }
}
