import Clients
import Domain
import FoundationEssentials
import Glibc
import Testing

@testable import SQLite
@testable import Store

@Suite("The folder of documents and pictures", .timeLimit(.minutes(1)))
struct FileFolderTests {
  private let place: Place
  private var folder: String { place.folders.files }

  init() throws { place = try Place() }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func add(_ store: Opened, _ data: Data = Data("card".utf8)) async -> UploadEvent? {
    let metadata = StorageMetadata(name: "card.txt", contentType: .text, access: .always)
    var last: UploadEvent?
    for await event in store.files.upload(data, metadata) { last = event }
    return last
  }

  @Test("The folder of files has mode 0700, its files 0600; a folder others can enter is refused")
  func modes() async throws {
    let store = try place.open()
    try await store.openAccount()
    #expect(!place.exists(folder))
    guard case .completed(let document) = await add(store) else {
      Issue.record("not stored")
      return
    }
    let path = folder + "/" + document.id.uuidString.lowercased()
    #expect(place.mode(folder) == 0o700)
    #expect(place.mode(path) == 0o600)
    #expect(place.bytes(path) == Array("card".utf8))

    chmod(folder, 0o755)
    guard case .failed(.storage(.permissionDenied(let detail))) = await add(store) else {
      Issue.record("an open folder was used")
      return
    }
    #expect(detail.contains("chmod 700 \(folder)"))
    #expect(names == [document.id.uuidString.lowercased()])
    // Checking in still works.
    _ = try await place.open().checkIn.checkIn(.manual)
  }

  @Test("A link, pipe, folder or changed file in place of a document is reported as damaged")
  func impostors() async throws {
    let store = try place.open()
    try await store.openAccount()
    guard case .completed(let document) = await add(store) else {
      Issue.record("not stored")
      return
    }
    let path = folder + "/" + document.id.uuidString.lowercased()
    try place.write(Array("card".utf8), to: place.root + "/elsewhere")
    let impostors: [() -> Void] = [
      {}, { symlink(place.root + "/elsewhere", path) }, { mkfifo(path, 0o600) },
      { mkdir(path, 0o700) }, { try? place.write(Array("cards".utf8), to: path) },
      { try? place.write(Array("car".utf8), to: path) },
    ]
    for make in impostors {
      unlink(path)
      rmdir(path)
      make()
      await #expect(throws: ClientError.fileDamaged) {
        try await store.files.read(StoredFileURL(document.id), 0, 4)
      }
    }
    unlink(path)
    try place.write(Array("card".utf8), to: path)
    #expect(try await store.files.read(StoredFileURL(document.id), 0, 4) == Data("card".utf8))
  }

  @Test("Files left by a crash are removed at the next opening; uploads and other files stay")
  func sweep() async throws {
    let store = try place.open()
    try await store.openAccount()
    guard case .completed(let document) = await add(store) else {
      Issue.record("not stored")
      return
    }
    let kept = document.id.uuidString.lowercased()
    let orphan = UUID().uuidString.lowercased()
    try place.write([1], to: folder + "/" + orphan)
    try place.write([1], to: folder + "/" + orphan + ".part")
    try place.write([1], to: folder + "/README")
    // An upload is running while the store is opened a second time.
    let metadata = StorageMetadata(name: "b", contentType: .binary, access: .always)
    var upload = store.files.upload(Data(count: 1), metadata).makeAsyncIterator()
    _ = await upload.next()
    let part = try #require(names.first { $0.hasSuffix(".part") && !$0.hasPrefix(orphan) })
    let second = try place.open()
    #expect(Set(names) == [kept, part, "README"])
    _ = await upload.next()
    guard case .completed = await upload.next() else {
      Issue.record("the upload was disturbed")
      return
    }
    #expect(try await second.documents.documents().count == 2)
  }

  @Test("A store that is set aside takes its files with it")
  func setAside() async throws {
    do {
      let store = try place.open()
      try await store.openAccount()
      _ = await add(store)
    }
    let before = names
    #expect(before.count == 1)
    _ = try EmbeddedPlatform.setAside(folders: place.folders, now: Place.start)
    _ = try place.open()
    #expect(!place.exists(folder))
    let aside = try FileManager.default.contentsOfDirectory(atPath: place.folders.data)
      .filter { $0.hasPrefix("files.set-aside-") }
    #expect(aside.count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.folders.data + "/" + aside[0])
        == before)
  }

  @Test("If the store refuses a document's row, no file is kept")
  func refusedRow() async throws {
    let store = try place.open()
    try await store.openAccount()
    try await store.sql(
      "CREATE TRIGGER refuse BEFORE INSERT ON file BEGIN SELECT RAISE(ABORT, 'no'); END")
    guard case .failed(.storage) = await add(store) else {
      Issue.record("stored without a row")
      return
    }
    #expect(names == [])
    #expect(try await store.documents.documents() == [])
  }

  @Test("A picture that is replaced or removed leaves no file")
  func pictures() async throws {
    let store = try place.open()
    let user = try await store.openAccount()
    let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var last: UUID?
    for _ in 1...3 {
      last = try await store.profile.update(user.profile.name, .set(png)).picture
      #expect(names == [last?.uuidString.lowercased()])
    }
    await #expect(throws: ClientError.invalid(.nameLength(0))) {
      try await store.profile.update("", .set(png))
    }
    #expect(names == [last?.uuidString.lowercased()])
    _ = try await store.profile.update(user.profile.name, .remove)
    #expect(names == [])
  }

  @Test("A file of one byte can be read, and so can the last byte of a longer file")
  func oneByte() async throws {
    let store = try place.open()
    try await store.openAccount()
    for (data, offset) in [(Data([7]), 0), (Data([1, 2, 7]), 2)] {
      guard case .completed(let document) = await add(store, data) else {
        Issue.record("not stored")
        return
      }
      #expect(try await store.files.read(StoredFileURL(document.id), offset, 9) == Data([7]))
    }
  }
}
