import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("kill -9 and file size limits during uploads", .serialized, .timeLimit(.minutes(2)))
struct FileCrashTests {
  /// More than one part, but not a whole number of parts.
  static let bytes = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 * 11) })

  @Test(
    "DOC-1: kill -9 during uploads leaves no half file and loses no confirmed file")
  func killed() async throws {
    let place = try Place()
    try await place.open().openAccount()
    for count in [1, 2, 3, 5, 8, 13, 14, 15, 16, 21] {
      let child = try ChildProcess(.storeFilesUntilKilled, root: place.root)
      let confirmed = await child.reports(killingAfter: count).count { $0 == "o" }
      let store = try place.open()
      let documents = try await store.documents.documents()
      #expect(documents.count >= confirmed)
      #expect(
        Set(try FileManager.default.contentsOfDirectory(atPath: place.folders.files))
          == Set(documents.map { $0.id.uuidString.lowercased() }))
      for document in documents {
        #expect(try await store.files.download(StoredFileURL(document.id)) == Self.bytes)
        try await store.files.delete(document.id)
      }
    }
  }

  @Test("DOC-1: an upload that fills the disk leaves no half file")
  func fileSizeLimit() async throws {
    let place = try Place()
    try await place.open().openAccount()
    let child = try ChildProcess(.storeFileWithinFileSizeLimit, root: place.root)
    #expect(await child.reports() == "ppe")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folders.files) == [])
    #expect(try await place.open().documents.documents() == [])
  }
}

/// The tasks of the child processes in ``FileCrashTests``.
@Suite(.timeLimit(.minutes(2)))
struct FileChildTasks {
  @Test(.enabled(if: ChildProcess.root(for: .storeFilesUntilKilled) != nil))
  func storeFilesUntilKilled() async throws {
    let store = try open(.storeFilesUntilKilled)
    while true { await add(store) }
  }

  @Test(.enabled(if: ChildProcess.root(for: .storeFileWithinFileSizeLimit) != nil))
  func storeFileWithinFileSizeLimit() async throws {
    let store = try open(.storeFileWithinFileSizeLimit)
    // Ignore the signal, which would kill the process, so that the write fails instead.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = 300_000
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    await add(store)
  }

  /// Stores a document and reports each event: `p` for progress, `o` for success, `e` for failure.
  private func add(_ store: Opened) async {
    let metadata = StorageMetadata(name: "card", contentType: .binary, access: .always)
    for await event in store.files.upload(FileCrashTests.bytes, metadata) {
      switch event {
      case .progress: ChildProcess.report("p")
      case .completed: ChildProcess.report("o")
      case .failed: ChildProcess.report("e")
      }
    }
  }

  private func open(_ task: ChildProcess.Task) throws -> Opened {
    let root = try #require(ChildProcess.root(for: task))
    return try Place(reopening: root).open()
  }
}
