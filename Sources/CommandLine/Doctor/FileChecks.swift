import Clients
import Domain
import FoundationEssentials

/// Checks of the files on disk.
enum FileChecks {
  /// A path that only the user may access, because the store refuses anything else, and what is
  /// there.
  struct Place: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
      case folder, file
    }

    var path: String
    var kind: Kind
    var entry: PathEntry
  }

  /// Returns all private paths.
  static func places(
    _ folders: Folders, entry: (String) -> PathEntry
  ) -> [Place] {
    let kinds: [(String, Place.Kind)] = [
      (folders.data, .folder), (folders.state, .folder),
      (folders.backups, .folder), (folders.database, .file),
      (folders.database + "-wal", .file), (folders.database + "-shm", .file),
      (folders.storeMarker, .file),
      (folders.secrets, .file),
    ]
    return kinds.map { Place(path: $0, kind: $1, entry: entry($0)) }
  }

  /// - Parameter exposure: Who else can change the settings.
  static func files(_ places: [Place], exposure: ConfigurationExposure? = nil) -> [Finding] {
    var faults = places.compactMap(fault)
    if let exposure {
      faults.append(.failure(.files, exposure.errorDescription, exposure.recoverySuggestion))
    }
    return faults.isEmpty
      ? [.ok(.files, "Only you can read your private files.")]
      : faults
  }

  private static func fault(_ place: Place) -> Finding? {
    let (path, isFolder) = (place.path, place.kind == .folder)
    switch place.entry {
    case .nothing: return nil
    case .hidden(let reason):
      return .failure(.files, "\(path) can't be checked: \(reason).", nil)
    case .link:
      return .failure(
        .files, "\(path) is a symbolic link, which isn't allowed here.",
        "Replace it with the file it points to.")
    case .file(let mode, let isOwn) where !isFolder, .folder(let mode, let isOwn) where isFolder:
      guard isOwn else {
        return .failure(.files, "\(path) belongs to another user.", "Change the owner with chown.")
      }
      guard mode & 0o077 == 0 else {
        let command = "chmod \(isFolder ? "700" : "600") \(path.shellWord)"
        return .failure(.files, "Others can read or change \(path).", "Run \(command).")
      }
      // SQLite gives its other files the mode of the store.
      guard mode & 0o600 == 0o600 else {
        return .failure(
          .files, "You can't change \(path).", "Run chmod 600 \(path.shellWord).")
      }
      return nil
    case .file, .folder, .other:
      return .failure(
        .files, "\(path) is not a \(isFolder ? "folder" : "file").", "Move it away.")
    }
  }

  /// - Parameter opening: The error if the store could not be opened, or `nil`.
  static func store(
    opening: StorageError?, examination: StoreExamination?, now: Date
  ) -> Finding {
    if let opening {
      return .failure(
        .store, opening.errorDescription, opening.recoverySuggestion ?? "Nothing was changed.")
    }
    guard let examination else {
      return .warning(.store, "There is no store yet.", "Run lifesignal to create an account.")
    }
    if examination.isDiskFull {
      return .failure(
        .store, "The disk is full: a check-in or an alert may not be saved.", "Make room on it.")
    }
    if let fault = examination.fault {
      return .failure(
        .store, "The store is damaged: \(fault).",
        "Stop all monitors, quit the app and run lifesignal restore.")
    }
    if let rebuilt = examination.rebuiltAt, now.timeIntervalSince(rebuilt) < 30 * 86_400 {
      let age = TimeSpan(seconds: max(60, Int(now.timeIntervalSince(rebuilt))))
      return .warning(
        .store, "An index of the store was damaged and was rebuilt \(age.ageDescription).",
        "Check the disk and the memory of this machine; lifesignal.db.before-rebuild is the store as"
          + " it was.")
    }
    return .ok(
      .store,
      "The store opens and is undamaged (schema \(examination.schema),"
        + " \(max(1, examination.bytes / 1_024)) KiB).")
  }

  /// - Parameter lastChange: The time of the last change that a backup should contain.
  static func backup(_ backups: [StoreBackup], lastChange: Date?, now: Date) -> Finding {
    guard let last = backups.first else {
      return .warning(.backup, "There is no backup yet.", "A running monitor makes one a day.")
    }
    let age = TimeSpan(seconds: max(0, Int(bounded: now.timeIntervalSince(last.madeAt))))
    let when = age.seconds < 60 ? "just now" : age.ageDescription
    // Backups are a day apart, and one may have been missed.
    if let lastChange, lastChange.timeIntervalSince(last.madeAt) > 2 * 86_400 {
      return .warning(
        .backup, "The last backup was made \(when), before your last check-ins.",
        "Look for “no backup could be made” in the monitor's log.")
    }
    return .ok(
      .backup, "The last backup was made \(when); \(backups.count) of at most 7 are kept.")
  }
}
