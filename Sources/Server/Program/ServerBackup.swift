import Clients
import Domain
import FoundationEssentials
import Glibc
import SQLite
import Store
import System

/// A backup of a whole server in one file: a copy of the store as of one instant, the files of its
/// documents, and the settings of the server and of its monitor. A certificate and its key aren't
/// in it.
struct ServerBackup: Sendable {
  let folder: ServerFolder
  let now: @Sendable () -> Date

  private static let limit = Duration.seconds(3_600)
  private static let settingsFile = "server.json"
  private static let monitorFile = "config.json5"

  func backUp(to file: String) async throws {
    let settings = try folder.settings()
    guard settings.databaseFile == nil else {
      throw ServerFolder.Fault(
        reason: "The store is in PostgreSQL.", recovery: "Copy it with pg_dump -Fc.")
    }
    guard access(file, F_OK) != 0 else {
      throw ServerFolder.Fault(reason: "\(file) already exists.")
    }
    let copy = folder.path + "/backup-\(UUID().uuidString)"
    guard mkdir(copy, 0o700) == 0 else {
      throw ServerFolder.Fault(reason: "\(copy) can't be made.")
    }
    defer { try? FileManager.default.removeItem(atPath: copy) }
    // First the rows, then the files: a file added between the two has no row, but no row lacks its
    // file.
    try EmbeddedPlatform.copyStore(
      folders: Folders(server: folder.path), to: copy + "/lifesignal.db", now: now())
    let members = [Self.settingsFile, Self.monitorFile, "files"].filter {
      access(folder.path + "/" + $0, F_OK) == 0
    }
    try await tar(
      [
        "--create", "--file", file, "--directory", copy, "lifesignal.db", "--directory",
        folder.path,
      ]
        + members, "\(file) can't be written")
    chmod(file, 0o600)
    output.write("Backed up the store, its documents and the settings to \(file).\n")
    if let key = settings.tlsKey {
      output.write(
        "The certificate and its key aren't included. Keep \(key): apps may recognise the server by it.\n"
      )
    }
  }

  /// - Parameter endsSessions: Whether every device is signed out.
  func restore(from file: String, endsSessions: Bool = false) async throws {
    guard !folder.isSetUp else {
      throw ServerFolder.Fault(
        reason: "There is a server in \(folder.path).", recovery: "Restore into another folder.")
    }
    guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else {
      throw ServerFolder.Fault(reason: "\(folder.path) can't be made.")
    }
    let members = try await tar(["--list", "--file", file], "\(file) can't be read").split(
      separator: "\n")
    let files = ["lifesignal.db", Self.settingsFile, Self.monitorFile]
    let isBackup =
      members.contains("lifesignal.db") && members.contains(Self.settingsFile[...])
      && members.allSatisfy {
        files.contains(String($0)) || $0.hasPrefix("files/") && !$0.contains("..")
      }
    guard isBackup else { throw ServerFolder.Fault(reason: "\(file) isn't a server's backup.") }
    // The settings last: without them there isn't a server.
    try await unpack(file, "--exclude", Self.settingsFile)
    let store = try ServerStore.sqlite(in: folder.path, now: now)
    let found = try await store.administration.noteRestored(endsSessions: endsSessions)
    try await unpack(file, Self.settingsFile)
    output.write("Restored \(folder.path).\n")
    Self.report(found, endsSessions: endsSessions)
    if !members.contains(Self.monitorFile[...]) {
      output.write(
        "The backup had no \(Self.monitorFile): until mail is set up, nobody is notified by e-mail.\n"
      )
    }
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

  private func unpack(_ file: String, _ members: String...) async throws {
    try await tar(
      ["--extract", "--no-same-owner", "--file", file, "--directory", folder.path] + members,
      "\(file) can't be unpacked")
  }

  @discardableResult
  private func tar(_ arguments: [String], _ failure: String) async throws -> String {
    let result = await Subprocess.run(
      "tar", arguments, outputLimit: 64 << 20, within: Self.limit)
    guard result.end == .exited(0), !result.exceededOutputLimit else {
      throw ServerFolder.Fault(
        reason: "\(failure): \(String(decoding: result.complaint, as: UTF8.self))")
    }
    return String(decoding: result.output, as: UTF8.self)
  }
}
