import Clients
import Composable
import Cryptography
import Domain
import FoundationEssentials
import PostgreSQL
import PostgresTesting
import SQLite
import TestSupport

/// Exercises libpq through the store.
@MainActor func probeDatabase() async throws {
  // Skip if PostgreSQL isn't installed.
  guard PostgresServer.absence == nil else { return }
  let database = try PostgresServer.shared.get().makeDatabase()
  let folder = try TemporaryFolder()
  let folders = Folders(
    data: folder.path + "/data", config: folder.path + "/config", state: folder.path + "/state")
  func open() throws -> DependencyValues {
    let (place, now) = PostgresPlatform(database.connection(as: .server)).makePlace()
    var clients = DependencyValues()
    try EmbeddedPlatform(
      place: place, folders: folders, now: now, hashing: .minimal, keyring: false
    ).install(in: &clients)
    return clients
  }
  let clients = try open()
  let note = String(repeating: "a👩‍👩‍👧‍👦\u{301}", count: 900)
  _ = try await clients.authClient.createAccount(
    NewAccount(
      profile: Profile(name: "Ada", note: note, email: "ada@example.org"),
      responders: [ContactDraft(name: "Bob", email: "bob@example.org", roles: .responder)]))
  let texts = (0..<40).map { String(repeating: "ä“\($0)”", count: 1 << ($0 / 2)) }
  let drafts = CollectionPath.drafts
  for (number, text) in texts.enumerated() {
    try await clients.storageClient.setValue(["text": text], at: drafts.document("\(number)"))
  }
  let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  var stored: EmergencyDocument?
  let metadata = StorageMetadata(
    name: "a.bin", contentType: ContentType(of: bytes), access: .always)
  for await event in clients.fileStorageClient.upload(bytes, metadata) {
    if case .completed(let document) = event { stored = document }
  }
  // Read it as another process would.
  let others = try open()
  let user = try await others.userClient.currentUser()
  Report.check(
    user.profile.note == note, "the note came back as \(user.profile.note.count) characters")
  for (number, text) in texts.enumerated() {
    let read = try await others.storageClient.value(
      [String: String].self, at: drafts.document("\(number)"))
    Report.check(read?["text"] == text, "document \(number)")
  }
  if let stored {
    let url = try await others.fileStorageClient.url(stored.id)
    let read = try await others.fileStorageClient.read(url, 100_000, 500_000)
    Report.check(read == bytes[100_000..<600_000], "a file of \(read.count) bytes")
  } else {
    Report.check(false, "no file was stored")
  }
}
