import Clients
import Domain
import FoundationEssentials
import Glibc
import Store

/// Backups of the store beside it: at most one a day, and only when it has changed. The last seven
/// are kept.
///
/// A copy gets its name only when it is complete, checked and on disk, so that every file with the
/// name of a backup is one.
struct BackupFolder: Sendable {
  /// The number of backups that are kept.
  static let kept = 7

  let folders: Folders
  var schema: Schema
  /// Returns the number of free bytes on the disk of a path.
  var freeSpace: @Sendable (_ path: String) -> Int

  init(
    _ folders: Folders, schema: Schema = .current,
    freeSpace: @escaping @Sendable (String) -> Int = Self.freeSpace
  ) {
    self.folders = folders
    self.schema = schema
    self.freeSpace = freeSpace
  }

  // MARK: Making backups

  /// Makes the backup of the day of `now`, in UTC.
  func make(now: Date) throws(StorageError) -> BackupOutcome {
    try PrivateFiles.makeFolder(folders.backups)
    guard let turn = try Turn(folder: folders.backups) else { return .notNeeded }
    defer { withExtendedLifetime(turn) {} }
    let backup = StoreBackup(name: Self.name(of: now), madeAt: now, bytes: 0)
    guard try PrivateFiles.entry(path(of: backup)) == .nothing else { return .notNeeded }
    let unfinished = folders.backups + "/unfinished.db"
    do throws(StorageError) {
      try copy(to: unfinished)
      let earlier = try all(asOf: now)
      if let last = earlier.first, try isSame(unfinished, path(of: last)) {
        unlink(unfinished)
        return .notNeeded
      }
      let last = earlier.compactMap { Self.number(of: path(of: $0)) }.max() ?? 0
      try number(unfinished, last + 1)
      guard rename(unfinished, path(of: backup)) == 0 else {
        throw PrivateFiles.failure("\(path(of: backup)) could not be named")
      }
      try PrivateFiles.synchronize(folderOf: unfinished)
    } catch {
      unlink(unfinished)
      throw error
    }
    let all = try all(asOf: now)
    for old in all.dropFirst(Self.kept) { unlink(path(of: old)) }
    return .made(all.first { $0.name == backup.name } ?? backup)
  }

  /// Writes a complete, checked copy of the store, which is on disk when this returns.
  private func copy(to path: String) throws(StorageError) {
    // A leftover of a process that was killed while it wrote the copy.
    unlink(path)
    let source = try PrivateFiles.resolved(folders.data) + "/lifesignal.db"
    let database = try Database(path: source, access: .readWrite)
    database.keepsLogOnClose = true
    let pages = try database.value(Int.self, "PRAGMA page_count") ?? 0
    let size = try database.value(Int.self, "PRAGMA page_size") ?? 0
    // A copy must not take the last room from check-ins and alerts.
    guard freeSpace(folders.backups) >= 2 * pages * size + Self.reserve else { throw .full }
    try PrivateFiles.makeFile(path)
    try database.run("VACUUM INTO ?1", path)
    try judge(path)
    try PrivateFiles.synchronize(path)
  }

  /// The space that a backup leaves free, in bytes.
  static let reserve = 16 << 20

  /// Returns whether two copies have the same contents, apart from the monitors' heartbeats.
  private func isSame(_ path: String, _ other: String) throws(StorageError) -> Bool {
    let database = try Database(path: try PrivateFiles.resolved(path), access: .immutable)
    do throws(StorageError) {
      let uri = Database.escapingForURI(try PrivateFiles.resolved(other))
      try database.run("ATTACH ?1 AS other", "file:\(uri)?immutable=1")
      let shapes = try database.value(
        Int.self,
        """
        SELECT count(*) FROM (SELECT sql FROM main.sqlite_schema EXCEPT SELECT sql FROM other.sqlite_schema)
        """)
      guard shapes == 0 else { return false }
      let tables = try database.column(
        String.self,
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      for table in tables where !["monitor", "watch", "clock"].contains(table) {
        for (one, two) in [("main", "other"), ("other", "main")] {
          let hasMore = try database.value(
            Int.self,
            "SELECT EXISTS (SELECT * FROM \(one).\"\(table)\" EXCEPT SELECT * FROM \(two).\"\(table)\")"
          )
          guard hasMore == 0 else { return false }
        }
      }
      return true
    } catch {
      // A damaged backup is not the same as a whole one.
      return false
    }
  }

  // MARK: Reading backups

  func path(of backup: StoreBackup) -> String { folders.backups + "/" + backup.name }

  /// Returns the backups, newest first; none if there is no folder.
  ///
  /// They are ordered by the numbers they hold. Only those of earlier programs, which have none, are
  /// ordered by their dates; one whose date is yet to come was made by a wrong clock, so that it
  /// comes last.
  func all(asOf now: Date) throws(StorageError) -> [StoreBackup] {
    guard try PrivateFiles.entry(folders.backups) == .folder else { return [] }
    let last = Self.name(of: now + .days(1))
    let places = try PrivateFiles.names(in: folders.backups).filter(Self.isName).map { name in
      (number: Self.number(of: folders.backups + "/" + name) ?? 0, isPast: name <= last, name: name)
    }
    return places.sorted { one, other in
      if one.number != other.number { return one.number > other.number }
      return one.isPast != other.isPast ? one.isPast : one.name > other.name
    }.map(\.name).compactMap { name in
      var information = stat()
      guard lstat(folders.backups + "/" + name, &information) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { return nil }
      return StoreBackup(
        name: name, madeAt: Date(timeIntervalSince1970: Double(information.st_mtim.tv_sec)),
        bytes: Int(information.st_size))
    }
  }

  /// Returns the number that a backup holds; `nil` if it has none or can't be read.
  private static func number(of path: String) -> Int? {
    guard let path = try? PrivateFiles.resolved(path),
      let database = try? Database(path: path, access: .immutable)
    else { return nil }
    let number = try? database.optionalValue(Int.self, "SELECT backup FROM clock")
    // One that counting doesn't lead to was written by somebody else.
    return number.flatMap { (1...1 << 40).contains($0) ? $0 : nil }
  }

  /// Writes its number into a backup that isn't complete.
  private func number(_ path: String, _ number: Int) throws(StorageError) {
    let database = try Database(path: try PrivateFiles.resolved(path), access: .readWrite)
    try database.run(
      """
      INSERT INTO clock (key, boot, at, uptime, era, backup) VALUES (1, 'none', 0, 0, 0, ?1)
      ON CONFLICT (key) DO UPDATE SET backup = ?1
      """, number)
    try PrivateFiles.synchronize(path)
  }

  /// Throws if a copy is damaged, isn't a LifeSignal store, or is from a newer program.
  func judge(_ path: String) throws(StorageError) {
    guard case .file = try PrivateFiles.entry(path) else { throw .noBackup(path: path) }
    let database = try Database(path: try PrivateFiles.resolved(path), access: .immutable)
    guard try Schema.applicationID(of: database) == Schema.applicationID else {
      throw .corrupt(detail: "\(path) isn't a LifeSignal store.")
    }
    let found = try Schema.version(of: database)
    guard found <= schema.version else {
      throw .newerSchema(found: found, known: schema.version)
    }
    let answer = try database.quickCheck()
    guard answer == "ok" else {
      throw .corrupt(detail: "\(path) did not pass the check: \(answer).")
    }
  }

  // MARK: Names

  static func name(of date: Date) -> String {
    "lifesignal-" + CivilCalendar.utc.time(of: date).dateText + ".db"
  }

  private static func isName(_ name: String) -> Bool {
    name.wholeMatch(of: /lifesignal-\d{4}-\d{2}-\d{2}\.db/) != nil
  }

  /// Returns what the file system has left for this user, or the largest number if it doesn't say.
  static func freeSpace(_ path: String) -> Int {
    var information = statvfs()
    guard statvfs(path, &information) == 0 else { return .max }
    return Int(information.f_bavail) * Int(information.f_frsize)
  }
}

/// The right to make backups, which one process has at a time.
private final class Turn {
  private let descriptor: Int32

  /// Takes the right; returns `nil` while another process has it.
  init?(folder: String) throws(StorageError) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw PrivateFiles.failure("\(folder) could not be opened") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(descriptor) }
}
