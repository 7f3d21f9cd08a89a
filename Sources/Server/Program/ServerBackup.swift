import Clients
import Cryptography
import Domain
import FoundationEssentials
import Glibc
import PostgreSQL
import SQLite
import Store
import System

/// A backup of a whole server in one file: a copy of the store as of one instant, the files of its
/// documents, and the settings of the server and of its monitor. A certificate and its key aren't
/// in it.
///
/// It is sealed, so that neither a lost file nor the running server reveals what was in the store:
/// only the recovery code opens it, which is printed once and kept nowhere.
struct ServerBackup: Sendable {
  let folder: ServerFolder
  let now: @Sendable () -> Date
  /// The file with the connection string of an administrator; `nil` for the server's own.
  var databaseFile: String?

  private static let limit = Duration.seconds(3_600)
  private static let settingsFile = "server.json"
  private static let monitorFile = "config.json5"
  private static let storeFile = "lifesignal.db"
  /// A dump of a database in PostgreSQL's own format, in place of ``storeFile``.
  private static let dumpFile = "lifesignal.dump"

  // MARK: Backing up

  /// - Parameter isPlain: Whether the file isn't sealed.
  func backUp(to file: String, isPlain: Bool = false) async throws {
    let settings = try folder.settings()
    let key = settings.backupKey.flatMap { Data(base64Encoded: $0) }
    guard isPlain || key != nil else {
      throw ServerFolder.Fault(
        reason: "There is no key for backups yet.",
        recovery: "Run lifesignal-server backup-key, or add --plain: who has the file can read it.")
    }
    guard access(file, F_OK) != 0 else {
      throw ServerFolder.Fault(reason: "\(file) already exists.")
    }
    try await usingFolder { copy in
      let store: String
      var members = [Self.settingsFile, Self.monitorFile]
      if let file = settings.databaseFile {
        store = Self.dumpFile
        try await onDatabase(
          in: databaseFile ?? file, copy, "pg_dump",
          ["--format=custom", "--file=\(copy)/\(store)"],
          "The database can't be copied")
      } else {
        store = Self.storeFile
        members.append("files")
        // First the rows, then the files: a file added between the two has no row, but no row lacks
        // its file.
        try EmbeddedPlatform.copyStore(
          folders: Folders(server: folder.path), to: "\(copy)/\(store)", now: now())
      }
      let target = copy + "/backup.tar"
      try await tar(
        ["--create", "--file", target, "--directory", copy, store, "--directory", folder.path]
          + members.filter { access(folder.path + "/" + $0, F_OK) == 0 },
        "\(target) can't be written")
      chmod(target, 0o600)
      try keep(target, as: file, key: isPlain ? nil : key)
    }
    output.write("Backed up the store, its documents and the settings to \(file).\n")
    if isPlain { output.write("It isn't sealed: who has it can read all that is in it.\n") }
    if let key = settings.tlsKey {
      output.write(
        "The certificate and its key aren't included. Keep \(key): apps may recognise the server by it.\n"
      )
    }
  }

  /// Writes the backup, sealed if there is a key. A file that isn't whole never has the name.
  private func keep(_ source: String, as file: String, key: Data?) throws {
    let partial = file + ".partial"
    unlink(partial)
    do {
      if let key {
        try SealedFile.seal(source, to: partial, for: key)
      } else {
        try FileManager.default.copyItem(atPath: source, toPath: partial)
      }
      guard chmod(partial, 0o600) == 0, rename(partial, file) == 0 else {
        throw SealedFile.Failure.cannotWrite
      }
    } catch {
      unlink(partial)
      throw ServerFolder.Fault(reason: "\(file) can't be written.")
    }
  }

  /// Makes a key for backups, and prints its recovery code.
  static func makeKey(_ settings: inout ServerSettings) {
    let keys = SealedBox.Keys()
    let hadKey = settings.backupKey != nil
    settings.backupKey = keys.publicKey.base64EncodedString()
    output.write(
      """
      Backups are sealed\(hadKey ? " to another key from now on" : ""). Only this recovery code opens them. It is shown once: write it down,
      and keep it away from this machine.
      \(keys.recoveryCode)
      \(hadKey ? "Older backups still need the older code.\n" : "")
      """)
  }

  // MARK: Restoring

  /// - Parameters:
  ///   - endsSessions: Whether every device is signed out.
  ///   - readCode: Reads the recovery code, for a sealed backup.
  func restore(
    from file: String, endsSessions: Bool = false, readCode: () -> String? = { nil }
  ) async throws {
    guard !folder.isSetUp else {
      throw ServerFolder.Fault(
        reason: "There is a server in \(folder.path).", recovery: "Restore into another folder.")
    }
    guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else {
      throw ServerFolder.Fault(reason: "\(folder.path) can't be made.")
    }
    try await usingFolder { copy in
      guard SealedFile.isSealed(file) else {
        return try await unpack(file, copy, endsSessions: endsSessions)
      }
      guard let keys = readCode().flatMap({ SealedBox.Keys(recoveryCode: $0) }) else {
        throw ServerFolder.Fault(
          reason: "\(file) is sealed, and this isn't a recovery code.",
          recovery: "It has 13 groups of four letters and digits.")
      }
      do throws(SealedFile.Failure) {
        try SealedFile.open(file, to: copy + "/backup.tar", with: keys)
      } catch {
        let reason =
          switch error {
          case .wrongKey: "The recovery code isn't the one of this backup."
          case .cannotWrite: "\(folder.path) can't be written."
          case .cannotRead, .notSealed, .damaged: "\(file) is damaged."
          }
        throw ServerFolder.Fault(reason: reason)
      }
      try await unpack(copy + "/backup.tar", copy, endsSessions: endsSessions)
    }
  }

  private func unpack(_ file: String, _ copy: String, endsSessions: Bool) async throws {
    let members = try await tar(["--list", "--file", file], "\(file) can't be read").split(
      separator: "\n")
    let files = [Self.storeFile, Self.dumpFile, Self.settingsFile, Self.monitorFile]
    let isOfDatabase = members.contains(Self.dumpFile[...])
    let isBackup =
      (isOfDatabase || members.contains(Self.storeFile[...]))
      && members.contains(Self.settingsFile[...])
      && members.allSatisfy {
        files.contains(String($0)) || $0.hasPrefix("files/") && !$0.contains("..")
      }
    guard isBackup else { throw ServerFolder.Fault(reason: "\(file) isn't a server's backup.") }
    // The settings last: without them there isn't a server.
    try await unpack(file, to: isOfDatabase ? copy : folder.path, "--exclude", Self.settingsFile)
    let store: ServerStore
    if isOfDatabase {
      try await unpack(file, to: copy, Self.settingsFile)
      let settings = try ServerFolder(path: copy).settings()
      guard let databaseFile = databaseFile ?? settings.databaseFile else {
        throw ServerFolder.Fault(reason: "\(file) isn't a server's backup.")
      }
      try await restoreDatabase(in: databaseFile, copy)
      store = try ServerStore.database(in: databaseFile, folder: folder.path)
      if access("\(copy)/\(Self.monitorFile)", F_OK) == 0 {
        try await unpack(file, to: folder.path, Self.monitorFile)
      }
    } else {
      store = try ServerStore.sqlite(in: folder.path, now: now)
    }
    let found = try await store.administration.noteRestored(endsSessions: endsSessions)
    try await unpack(file, to: folder.path, Self.settingsFile)
    output.write("Restored \(folder.path).\n")
    Self.report(found, endsSessions: endsSessions)
    if !members.contains(Self.monitorFile[...]) {
      output.write(
        "The backup had no \(Self.monitorFile): until mail is set up, nobody is notified by e-mail.\n"
      )
    }
  }

  /// Restores a dump into an empty database.
  private func restoreDatabase(in file: String, _ copy: String) async throws {
    guard try ServerStore.prepareRestore(in: file) else {
      throw ServerFolder.Fault(
        reason: "There is a store in this database already.",
        recovery: "Restore into an empty database.")
    }
    try await onDatabase(
      in: file, copy, "pg_restore",
      ["--exit-on-error", "--single-transaction", "--no-privileges", "--dbname=service=lifesignal"]
        + ["\(copy)/\(Self.dumpFile)"],
      "The database can't be restored")
    _ = try ServerStore.migrate(databaseFile: file)
  }

  /// Prints what a restored store is, and what its administrator has to know.
  static func report(_ found: (date: Date, accounts: Int), endsSessions: Bool) {
    let date = CivilCalendar.utc.describeForOthers(found.date)
    output.write(
      """
      The accounts are as they were on \(date): \(found.accounts).
      Everybody is asked to check in, once a monitor runs.

      """)
    guard !endsSessions else { return output.write("Every device was signed out.\n") }
    output.write(
      """
      Sessions that were ended after that are valid again. If a device was stolen, end all of them:
      lifesignal-server restored --end-sessions

      """)
  }

  // MARK: Programs

  /// Runs the body with a folder of its own, which is deleted afterwards.
  private func usingFolder(_ body: (_ path: String) async throws -> Void) async throws {
    removeAbandoned()
    let copy = folder.path + "/backup-\(UUID().uuidString)"
    guard mkdir(copy, 0o700) == 0 else {
      throw ServerFolder.Fault(reason: "\(copy) can't be made.")
    }
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try await body(copy)
  }

  /// Deletes what a backup or restore that was killed has left: it is readable here.
  private func removeAbandoned() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.wholeMatch(of: /backup-[0-9A-F-]{36}/) != nil {
      var information = stat()
      let path = folder.path + "/" + name
      // One that still runs is younger than its time limit.
      guard stat(path, &information) == 0,
        now().timeIntervalSince1970 - Double(information.st_mtim.tv_sec) > 2 * 3_600
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Runs one of PostgreSQL's programs. The list of processes shows no password.
  private func onDatabase(
    in file: String, _ copy: String, _ program: String, _ arguments: [String], _ failure: String
  ) async throws {
    let service = copy + "/service"
    guard let text = try ServerStore.connectionString(in: file).serviceFile("lifesignal") else {
      throw ServerFolder.Fault(reason: "\(file) has no connection string.")
    }
    let descriptor = open(service, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let bytes = Array(text.utf8)
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count,
      close(descriptor) == 0
    else { throw ServerFolder.Fault(reason: "\(service) can't be written.") }
    try await run(
      program, arguments, variables: ["PGSERVICEFILE": service, "PGSERVICE": "lifesignal"],
      failure)
  }

  private func unpack(_ file: String, to path: String, _ members: String...) async throws {
    try await tar(
      ["--extract", "--no-same-owner", "--file", file, "--directory", path] + members,
      "\(file) can't be unpacked")
  }

  @discardableResult
  private func tar(_ arguments: [String], _ failure: String) async throws -> String {
    try await run("tar", arguments, failure)
  }

  @discardableResult
  private func run(
    _ program: String, _ arguments: [String], variables: [String: String] = [:],
    _ failure: String
  ) async throws -> String {
    let result = await Subprocess.run(
      program, arguments, variables: variables, outputLimit: 64 << 20, within: Self.limit)
    guard result.end != .notFound else {
      throw ServerFolder.Fault(reason: "\(failure): \(program) isn't installed.")
    }
    guard result.end == .exited(0), !result.exceededOutputLimit else {
      throw ServerFolder.Fault(
        reason: "\(failure): \(String(decoding: result.complaint, as: UTF8.self))")
    }
    return String(decoding: result.output, as: UTF8.self)
  }
}
