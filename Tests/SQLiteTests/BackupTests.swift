import Clients
import Domain
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import SQLite
@testable import Store

@Suite("Backups and restores", .timeLimit(.minutes(1)))
struct BackupTests {
  /// A place with a closed store, an account and a backup of the first day.
  private func placeWithBackup() async throws -> Place {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    _ = try await store.upkeep.backUp(place.now)
    return place
  }

  private func names(_ place: Place) throws -> [String] {
    try EmbeddedPlatform.backups(folders: place.folders).map(\.name)
  }

  // MARK: Making backups

  @Test("A backup is whole, private, and named after its day in UTC")
  func made() async throws {
    let place = try Place()
    let store = try place.open()
    try await store.openAccount()
    guard case .made(let backup) = try await store.upkeep.backUp(place.now) else {
      Issue.record("none was made")
      return
    }
    let path = place.folders.backups + "/" + backup.name
    #expect(backup.name == "lifesignal-2026-11-18.db")
    #expect(backup.bytes == place.bytes(path)?.count)
    #expect(place.mode(place.folders.backups) == 0o700)
    #expect(place.mode(path) == 0o600)
    #expect(try names(place) == [backup.name])
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folders.backups).count == 1)
    let copy = try Database(path: try PrivateFiles.resolved(path), access: .immutable)
    #expect(try copy.value(String.self, "SELECT name FROM account") == "Ida")
    #expect(try Schema.applicationID(of: copy) == Schema.applicationID)
  }

  @Test("A backup is made once a day, and none on a day with only heartbeats")
  func onlyAfterChanges() async throws {
    let place = try await placeWithBackup()
    let store = try place.open()
    _ = try await store.checkIn.checkIn(.manual)
    #expect(try await store.upkeep.backUp(place.now) == .notNeeded)
    place.advance(.days(1))
    _ = try await store.upkeep.backUp(place.now)
    #expect(try names(place) == ["lifesignal-2026-11-19.db", "lifesignal-2026-11-18.db"])
    // A continuous watch is the only change.
    let monitor = UUID()
    _ = try await store.monitor.heartbeat(monitor, place.now, .seconds(30), nil)
    place.advance(.days(1))
    _ = try await store.upkeep.backUp(place.now)
    let count = try names(place).count
    for _ in 0..<720 {
      place.advance(.minutes(2))
      _ = try await store.monitor.heartbeat(monitor, place.now, .seconds(30), nil)
    }
    #expect(try await store.upkeep.backUp(place.now) == .notNeeded)
    #expect(try names(place).count == count)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.folders.backups).count == count)
  }

  @Test("Seven backups are kept; other files in the folder are left alone")
  func rotation() async throws {
    let place = try await placeWithBackup()
    let store = try place.open()
    let other = place.folders.backups + "/my own copy.db"
    try place.write([1], to: other)
    for _ in 1...9 {
      place.advance(.days(1))
      _ = try await store.checkIn.checkIn(.manual)
      _ = try await store.upkeep.backUp(place.now)
    }
    #expect(try names(place) == (21...27).reversed().map { "lifesignal-2026-11-\($0).db" })
    #expect(place.exists(other))
  }

  @Test(
    "A backup dated ten years ahead isn't taken for the newest, and is deleted in its turn")
  func future() async throws {
    let place = try await placeWithBackup()
    let store = try place.open()
    func backUp(after span: TimeSpan) async throws {
      place.advance(span)
      _ = try await store.checkIn.checkIn(.manual)
      _ = try await store.upkeep.backUp(place.now)
    }
    try await backUp(after: .days(3_650))
    try await backUp(after: .days(-3_649))
    #expect(
      try names(place) == [
        "lifesignal-2026-11-19.db", "lifesignal-2036-11-15.db", "lifesignal-2026-11-18.db",
      ])
    for _ in 1...5 { try await backUp(after: .days(1)) }
    #expect(try names(place).contains("lifesignal-2036-11-15.db"))
    try await backUp(after: .days(1))
    #expect(try names(place) == (19...25).reversed().map { "lifesignal-2026-11-\($0).db" })
  }

  @Test("Backups of earlier programs come after all others, those with a future date last")
  func withoutNumbers() async throws {
    let place = try await placeWithBackup()
    let folder = place.folders.backups + "/"
    let newest = try #require(place.bytes(folder + "lifesignal-2026-11-18.db"))
    let old = folder + "lifesignal-2026-11-17.db"
    try place.write(newest, to: old)
    try Database(path: PrivateFiles.resolved(old), access: .readWrite)
      .run("UPDATE clock SET backup = NULL")
    let bytes = try #require(place.bytes(old))
    for day in ["2026-11-16", "2026-11-20", "2036-01-01"] {
      try place.write(bytes, to: folder + "lifesignal-\(day).db")
    }
    #expect(
      try BackupFolder(place.folders).all(asOf: place.now).map(\.name) == [
        "lifesignal-2026-11-18.db", "lifesignal-2026-11-17.db", "lifesignal-2026-11-16.db",
        "lifesignal-2036-01-01.db", "lifesignal-2026-11-20.db",
      ])
  }

  @Test("On a disk without room for a backup none is written, and the present ones stay")
  func full() async throws {
    let place = try await placeWithBackup()
    try await change(place)
    let free = Mutex(BackupFolder.reserve)
    let folder = BackupFolder(place.folders, freeSpace: { _ in free.withLock { $0 } })
    #expect(throws: StorageError.full) { try folder.make(now: place.now + .days(1)) }
    #expect(try names(place) == ["lifesignal-2026-11-18.db"])
    free.withLock { $0 = BackupFolder.reserve * 2 }
    #expect(try folder.make(now: place.now + .days(1)) != .notNeeded)
  }

  @Test("An unfinished copy isn't listed as a backup, and the next backup removes the copy")
  func cut() async throws {
    let place = try await placeWithBackup()
    try await change(place)
    let unfinished = place.folders.backups + "/unfinished.db"
    try place.write(Array("SQLite format 3".utf8), to: unfinished)
    #expect(try names(place).count == 1)
    _ = try BackupFolder(place.folders).make(now: place.now + .days(1))
    #expect(try names(place).count == 2)
    #expect(!place.exists(unfinished))
  }

  @Test("A damaged store leaves no half backup, and the good backups stay")
  func damagedStore() async throws {
    let place = try await placeWithBackup()
    try await change(place)
    let path = try PrivateFiles.resolved(place.folders.data) + "/lifesignal.db"
    // A store that is damaged in the middle can't be copied completely.
    var bytes = try #require(place.bytes(path))
    for index in bytes.count / 2..<bytes.count { bytes[index] = 0xA5 }
    try place.write(bytes, to: path)
    #expect(throws: StorageError.self) {
      try BackupFolder(place.folders).make(now: place.now + .days(1))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: place.folders.backups)
        == ["lifesignal-2026-11-18.db"])
  }

  @Test("If the only backup is damaged, a new one is made although nothing has changed")
  func damagedBackup() async throws {
    let place = try await placeWithBackup()
    truncate(place.folders.backups + "/lifesignal-2026-11-18.db", 5_000)
    _ = try BackupFolder(place.folders).make(now: place.now + .days(1))
    #expect(try names(place) == ["lifesignal-2026-11-19.db", "lifesignal-2026-11-18.db"])
    // No further backup is needed while a complete one exists.
    #expect(try BackupFolder(place.folders).make(now: place.now + .days(2)) == .notNeeded)
  }

  @Test("Free disk space is what the file system reports, or unlimited without a report")
  func freeSpace() throws {
    let place = try Place()
    #expect((0..<Int.max).contains(BackupFolder.freeSpace(place.root)))
    #expect(BackupFolder.freeSpace(place.root + "/nowhere") == .max)
  }

  @Test("While another process makes a backup, none is made")
  func turn() async throws {
    let place = try await placeWithBackup()
    try await change(place)
    let descriptor = Glibc.open(place.folders.backups, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    let folder = BackupFolder(place.folders)
    #expect(try folder.make(now: place.now + .days(1)) == .notNeeded)
    close(descriptor)
    #expect(try folder.make(now: place.now + .days(1)) != .notNeeded)
  }

  @Test("A backup folder that others can enter, or that is a symbolic link, is refused")
  func looseFolder() async throws {
    let place = try await placeWithBackup()
    chmod(place.folders.backups, 0o755)
    #expect(throws: StorageError.self) { try EmbeddedPlatform.backups(folders: place.folders) }
    chmod(place.folders.backups, 0o700)
    let elsewhere = place.root + "/elsewhere"
    rename(place.folders.backups, elsewhere)
    symlink(elsewhere, place.folders.backups)
    do {
      _ = try BackupFolder(place.folders).make(now: place.now + .days(1))
      Issue.record("a link was followed")
    } catch {
      guard case .permissionDenied = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  // MARK: Restoring

  @Test(
    "A missing, empty, foreign or damaged store is restored, and the old file is kept",
    arguments: [nil, [], Array("Dear diary".utf8), [UInt8](repeating: 0xA5, count: 9_000)])
  func restored(_ damage: [UInt8]?) async throws {
    let place = try await placeWithBackup()
    for suffix in ["", "-wal", "-shm"] { unlink(place.folders.database + suffix) }
    if let damage { try place.write(damage, to: place.folders.database) }
    #expect(throws: StorageError.self) { try place.open() }
    let report = try EmbeddedPlatform.restore(
      folders: place.folders, backup: nil, now: place.now)
    #expect(report.backup.name == "lifesignal-2026-11-18.db")
    #expect(report.previousStore.flatMap(place.bytes) == damage)
    #expect(place.mode(place.folders.database) == 0o600)
    #expect(try await place.open().user.currentUser().profile.name == "Ida")
    #expect(place.exists(place.folders.backups + "/" + report.backup.name))
  }

  @Test(
    "DOC-1: a restored store has its documents, also if the old store was set aside before",
    arguments: [false, true])
  func documents(wasSetAsideBefore: Bool) async throws {
    let place = try Place()
    let (kept, added) = try await {
      let store = try place.open()
      try await store.openAccount()
      let kept = try await upload("card", to: store)
      _ = try await store.upkeep.backUp(place.now)
      return (kept, try await upload("later", to: store))
    }()
    if wasSetAsideBefore { _ = try StoreFile(place.folders).moveAside(now: place.now) }
    let report = try EmbeddedPlatform.restore(folders: place.folders, backup: nil, now: place.now)
    #expect((report.previousStore == nil) == wasSetAsideBefore)
    let store = try place.open()
    #expect(try await store.documents.documents().map(\.id) == [kept])
    #expect(try await store.files.download(StoredFileURL(kept)) == Data("card".utf8))
    let folder = place.folders.files
    #expect(place.mode(folder) == 0o700)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder) == [
        kept.uuidString.lowercased()
      ])
    // The folder that was set aside stays complete.
    try await store.files.delete(kept)
    let aside = try #require(
      try FileManager.default.contentsOfDirectory(atPath: place.folders.data)
        .first { $0.hasPrefix("files.set-aside-") })
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: place.folders.data + "/" + aside))
        == Set([kept, added].map { $0.uuidString.lowercased() }))
  }

  private func upload(_ text: String, to store: Opened) async throws -> UUID {
    let metadata = StorageMetadata(name: text, contentType: .text, access: .always)
    var document: UUID?
    for await event in store.files.upload(Data(text.utf8), metadata) {
      if case .completed(let stored) = event { document = stored.id }
    }
    return try #require(document)
  }

  @Test("A restore takes the newest whole backup and skips a damaged one")
  func newestWhole() async throws {
    let place = try await placeWithBackup()
    try await change(place)
    _ = try BackupFolder(place.folders).make(now: place.now + .days(1))
    let newest = place.folders.backups + "/lifesignal-2026-11-19.db"
    truncate(newest, 5_000)
    unlink(place.folders.database)
    let report = try EmbeddedPlatform.restore(folders: place.folders, backup: nil, now: place.now)
    #expect(report.backup.name == "lifesignal-2026-11-18.db")
    #expect(throws: StorageError.self) {
      try EmbeddedPlatform.restore(
        folders: place.folders, backup: "lifesignal-2026-11-19.db", now: place.now)
    }
    #expect(try await place.open().user.currentUser().checkInSequence == 0)
  }

  @Test(
    "ALT-7: a restore keeps which alerts were raised, cancelled and sent since the backup"
  )
  func alerts() async throws {
    let place = try await placeWithBackup()
    let (first, second) = try await {
      let store = try place.open()
      let first = try await store.alerts.raise("old")
      place.advance(.days(1))
      _ = try await store.upkeep.backUp(place.now)
      _ = try await store.alerts.cancel()
      let second = try await store.alerts.raise("fell")
      let account = try #require(try await store.monitor.due(place.now, 9).first)
      let call = PlannedDelivery(
        occasion: .alert(second.id), stage: .alertOn, recipient: .contact(account.responders[0].id),
        recipientName: "Bo", channel: .email, address: "bo@example.org")
      _ = try await store.monitor.apply(
        Plan(deliveries: [call]), account.user.id, account.revision, place.now)
      try await store.sql(
        "UPDATE delivery SET state = 'sent', finished_at = 1795000000000 WHERE stage = 'alert_on'")
      return (first, second)
    }()
    _ = try EmbeddedPlatform.restore(folders: place.folders, backup: nil, now: place.now)
    let reports = try await place.open().alerts.history(9)
    #expect(reports.first { $0.id == first.id }?.alert.isActive == false)
    let report = try #require(reports.first { $0.id == second.id })
    #expect(report.alert.isActive && report.alert.message == "fell")
    #expect(report.deliveries.filter { $0.stage == .alertOn }.map(\.state) == [.sent])
  }

  @Test("CHK-3: a silent alert goes on after a restore")
  func silentAlert() async throws {
    let place = try await placeWithBackup()
    do {
      try await place.open().sql(
        """
        INSERT INTO alert (account, id, kind, message, raised_at)
        VALUES (1, '00000000-0000-0000-0000-000000000009', 'duress', '', 1795000000000);
        INSERT INTO kept_channel (account, responder, name, id, kind, address)
        VALUES (1, '00000000-0000-0000-0000-000000000008', 'Bo',
          '00000000-0000-0000-0000-000000000007', 'email', 'bo@example.org');
        """)
    }
    _ = try EmbeddedPlatform.restore(folders: place.folders, backup: nil, now: place.now)
    let due = try await place.open().monitor.due(place.now, 9)
    #expect(due.first?.alerts.map(\.kind) == [.duress])
    #expect(due.first?.respondersKeptUnderDuress.map(\.name) == ["Bo"])
  }

  @Test("A restore is refused while the store is in use, and names a backup that is missing")
  func refused() async throws {
    let place = try await placeWithBackup()
    do {
      let store = try place.open()
      #expect(throws: StorageError.busy) {
        try EmbeddedPlatform.restore(folders: place.folders, backup: nil, now: place.now)
      }
      _ = try await store.checkIn.checkIn(.manual)
    }
    for name in ["lifesignal-1999-01-01.db", "../lifesignal.db", "unfinished.db"] {
      #expect(throws: StorageError.noBackup(path: place.folders.backups + "/" + name)) {
        try EmbeddedPlatform.restore(folders: place.folders, backup: name, now: place.now)
      }
    }
    #expect(try await place.open().user.currentUser().checkInSequence == 1)
    let empty = try Place()
    #expect(throws: StorageError.noBackup(path: empty.folders.backups)) {
      try EmbeddedPlatform.restore(folders: empty.folders, backup: nil, now: place.now)
    }
  }

  @Test("A restore killed halfway leaves the store missing, and can be repeated")
  func killedOnTheWay() async throws {
    let place = try await placeWithBackup()
    #expect(try StoreFile(place.folders).moveAside(now: place.now) != nil)
    #expect(throws: StorageError.missing(path: place.folders.database)) { try place.open() }
    _ = try EmbeddedPlatform.restore(folders: place.folders, backup: nil, now: place.now)
    #expect(try await place.open().user.currentUser().profile.name == "Ida")
  }

  private func change(_ place: Place) async throws {
    let store = try place.open()
    _ = try await store.checkIn.checkIn(.manual)
  }
}
