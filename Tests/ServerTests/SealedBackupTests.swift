import Clients
import Cryptography
import Domain
import Foundation
import PostgreSQL
import PostgresTesting
import ServerTesting
import Store
import Synchronization
import TestSupport
import Testing

@testable import Server

/// Backups of a server that only their recovery code opens.
@Suite("A sealed backup", .timeLimit(.minutes(1))) struct SealedBackupTests {
  private let place: TemporaryFolder
  private let now: @Sendable () -> Date = { Date() }

  init() throws { place = try TemporaryFolder() }

  /// A server's folder whose settings have a key for backups.
  /// - Returns: The folder and the recovery code.
  private func makeServer(_ name: String, databaseFile: String? = nil) throws -> (
    ServerFolder, String
  ) {
    let folder = ServerFolder(path: place.path + "/" + name)
    let keys = SealedBox.Keys()
    var settings = ServerSettings(
      url: "http://127.0.0.1:1", host: "127.0.0.1", port: 1, databaseFile: databaseFile)
    settings.backupKey = keys.publicKey.base64EncodedString()
    try folder.write(settings)
    return (folder, keys.recoveryCode)
  }

  private static let secrets = [
    "Penicillin allergy", "at the red hut", "+447700900123", "ada@example.org", "blood group B",
  ]

  /// Stores texts that nobody may read who finds a backup.
  private func plant(in store: ServerStore) async throws {
    let world = try ServerWorld(lanes: store.lanes, now: now)
    let ada = try await world.signUp("Ada", phone: "+447700900123", note: "Penicillin allergy")
    _ = try await ada.clients.alertClient.raise("at the red hut")
    for await _ in ada.clients.fileStorageClient.upload(
      Data("blood group B".utf8),
      StorageMetadata(
        name: "card.txt", contentType: ContentType(of: Data("blood".utf8)), access: .always))
    {}
    #expect(
      world.log.withLock { lines in
        let log = (try? JSONEncoder().encode(lines)).map { String(decoding: $0, as: UTF8.self) }
        return Self.secrets.allSatisfy { log?.contains($0) == false }
      })
  }

  private func planted(in file: String) throws -> [String] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    return Self.secrets.filter { bytes.firstRange(of: Data($0.utf8)) != nil }
  }

  @Test("A backup shows nothing of what was stored, and its recovery code restores all of it")
  func sqlite() async throws {
    let (folder, code) = try makeServer("one")
    try await plant(in: try ServerStore.sqlite(in: folder.path, now: now))
    let (sealed, plain) = (place.path + "/copy.sealed", place.path + "/copy.tar")
    let backup = ServerBackup(folder: folder, now: now)
    try await backup.backUp(to: plain, isPlain: true)
    #expect(try planted(in: plain).count == Self.secrets.count)
    try await backup.backUp(to: sealed)
    #expect(try planted(in: sealed) == [])
    let mode = try FileManager.default.attributesOfItem(atPath: sealed)[.posixPermissions]
    #expect(mode as? Int == 0o600)

    let other = ServerFolder(path: place.path + "/two")
    let restore = ServerBackup(folder: other, now: now)
    for wrong in [nil, "", "AAAA", SealedBox.Keys().recoveryCode] {
      await #expect(throws: ServerFolder.Fault.self) {
        try await restore.restore(from: sealed, readCode: { wrong })
      }
      #expect(!other.isSetUp)
    }
    try await restore.restore(
      from: sealed,
      readCode: { code.lowercased().replacingOccurrences(of: "-", with: " ") })
    #expect(try other.settings() == folder.settings())
    let accounts = try await ServerStore.sqlite(in: other.path, now: now).administration.accounts()
    #expect(accounts.map(\.name) == ["Ada"])
    // Nothing that was unpacked stays behind.
    let rest = try FileManager.default.contentsOfDirectory(atPath: other.path)
    #expect(!rest.contains { $0.hasPrefix("backup-") })
  }

  @Test(
    "A backup over PostgreSQL is sealed, too, and is restored into an empty database",
    .enabled(if: PostgresServer.absence == nil))
  func postgres() async throws {
    let server = try PostgresServer.shared.get()
    let database = try server.makeDatabase()
    try place.write(database.connection(as: .server).fileText, to: "database", mode: 0o600)
    let (folder, code) = try makeServer("one", databaseFile: place.path + "/database")
    let settings = try folder.settings()
    try await plant(
      in: try ServerStore.open(settings, in: folder.path, now: now, uptime: { nil }))
    let (sealed, plain) = (place.path + "/copy.sealed", place.path + "/copy.tar")
    let backup = ServerBackup(folder: folder, now: now)
    try await backup.backUp(to: sealed)
    #expect(try planted(in: sealed) == [])
    try await backup.backUp(to: plain, isPlain: true)

    let name = "restored\(UInt32.random(in: 0..<1_000_000))"
    try PostgresConnection(server.connection("postgres", "postgres")).script(
      "CREATE DATABASE \(name)")
    try place.write(
      server.connection("postgres", name).fileText, to: "administrator", mode: 0o600)
    let other = ServerFolder(path: place.path + "/two")
    var restore = ServerBackup(folder: other, now: now)
    restore.databaseFile = place.path + "/administrator"
    try await restore.restore(from: sealed, readCode: { code })
    #expect(try other.settings() == settings)
    // With the rights of a server, as before.
    try place.write(server.connection("server", name).fileText, to: "database", mode: 0o600)
    let restored = try ServerStore.open(settings, in: other.path, now: now, uptime: { nil })
    #expect(try await restored.administration.accounts().map(\.name) == ["Ada"])
    let identity = try await restored.administration.identity()
    #expect(
      try await ServerStore.database(
        in: place.path + "/administrator", folder: other.path
      ).administration.identity() == identity)
  }

  @Test("A backup that was cut, changed or has another end isn't restored")
  func damaged() throws {
    let keys = SealedBox.Keys()
    for size in [0, 1, 65_535, 65_536, 65_537, 200_000] {
      let bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255) })
      let (file, sealed) = (place.path + "/file\(size)", place.path + "/sealed\(size)")
      try bytes.write(to: URL(fileURLWithPath: file))
      try SealedFile.seal(file, to: sealed, for: keys.publicKey)
      let whole = try Data(contentsOf: URL(fileURLWithPath: sealed))
      try SealedFile.open(sealed, to: file + ".opened", with: keys)
      #expect(try Data(contentsOf: URL(fileURLWithPath: file + ".opened")) == bytes)
      #expect(throws: SealedFile.Failure.wrongKey) {
        try SealedFile.open(sealed, to: file + ".wrong", with: SealedBox.Keys())
      }
      var changed = whole
      changed[whole.count - 1] ^= 1
      let part = 65_536 + 17
      let damages = [
        whole.dropLast(), changed, whole + Data([0]), whole.prefix(124),
        // Without its last part.
        size > 65_536 ? whole.prefix(124 + part) : whole.prefix(60),
      ]
      for (number, damaged) in damages.enumerated() {
        let path = "\(sealed).\(number)"
        try damaged.write(to: URL(fileURLWithPath: path))
        #expect(throws: SealedFile.Failure.damaged) {
          try SealedFile.open(path, to: path + ".opened", with: keys)
        }
      }
    }
    try Data("something else".utf8).write(to: URL(fileURLWithPath: place.path + "/other"))
    #expect(!SealedFile.isSealed(place.path + "/other"))
    #expect(throws: SealedFile.Failure.notSealed) {
      try SealedFile.open(place.path + "/other", to: place.path + "/x", with: keys)
    }
  }

  @Test("A recovery code is read in any case and grouping, and a mistyped one is recognised")
  func code() throws {
    let keys = SealedBox.Keys()
    let code = keys.recoveryCode
    #expect(code.split(separator: "-").map(\.count) == Array(repeating: 4, count: 13))
    for text in [code, code.lowercased(), " \(code.replacingOccurrences(of: "-", with: " ")) "] {
      #expect(SealedBox.Keys(recoveryCode: text)?.text == keys.text)
    }
    for text in ["", String(code.dropLast()), code + "A", code.replacing("-", with: "0")] {
      #expect(SealedBox.Keys(recoveryCode: text) == nil)
    }
  }

  @Test("Without a key, a backup needs --plain; a new key leaves the older code for older backups")
  func keys() async throws {
    let folder = ServerFolder(path: place.path + "/one")
    var settings = ServerSettings(url: "http://127.0.0.1:1", host: "127.0.0.1", port: 1)
    try folder.write(settings)
    let backup = ServerBackup(folder: folder, now: now)
    let fault = await #expect(throws: ServerFolder.Fault.self) {
      try await backup.backUp(to: place.path + "/copy")
    }
    #expect(fault?.recovery?.contains("backup-key") == true)
    ServerBackup.makeKey(&settings)
    let first = settings.backupKey
    ServerBackup.makeKey(&settings)
    #expect(first != nil && settings.backupKey != first)
  }

  @Test("A server refuses the store of another one, and learns its own store's identity at first")
  func identity() async throws {
    let (folder, _) = try makeServer("one")
    let store = try ServerStore.sqlite(in: folder.path, now: now).administration
    try await folder.checkIdentity(of: store, folder.settings())
    let settings = try folder.settings()
    #expect(try await settings.store == store.identity())
    try await folder.checkIdentity(of: store, settings)
    let other = try ServerStore.sqlite(in: place.path + "/two", now: now).administration
    let fault = await #expect(throws: ServerFolder.Fault.self) {
      try await folder.checkIdentity(of: other, settings)
    }
    #expect(fault?.reason.hasPrefix("This is the store of another server") == true)
  }
}
