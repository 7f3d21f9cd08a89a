import Clients
import Domain
import FoundationEssentials

/// Whether what lies on the disk is in order.
enum FileChecks {
  /// A place that belongs to LifeSignal, and what stands there.
  struct Place: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
      /// Only the person may enter or read it; the store refuses anything else.
      case privateFolder, privateFile
      /// Others may read it, but nobody else may change it.
      case openFolder, openFile
    }

    var path: String
    var kind: Kind
    var entry: PathEntry
  }

  /// All that LifeSignal looks at.
  static func places(
    _ folders: Folders, entry: (String) -> PathEntry
  ) -> [Place] {
    let kinds: [(String, Place.Kind)] = [
      (folders.data, .privateFolder), (folders.state, .privateFolder),
      (folders.backups, .privateFolder), (folders.database, .privateFile),
      (folders.database + "-wal", .privateFile), (folders.storeMarker, .privateFile),
      (folders.secrets, .privateFile), (folders.config, .openFolder),
      (folders.configuration, .openFile),
    ]
    return kinds.map { Place(path: $0, kind: $1, entry: entry($0)) }
  }

  static func files(_ places: [Place]) -> [Finding] {
    let faults = places.compactMap(fault)
    return faults.isEmpty
      ? [.ok(.files, "Your folders and files are yours, and others cannot read what is private.")]
      : faults
  }

  private static func fault(_ place: Place) -> Finding? {
    let (path, isFolder) = (place.path, [.privateFolder, .openFolder].contains(place.kind))
    let isPrivate = [.privateFolder, .privateFile].contains(place.kind)
    switch place.entry {
    case .nothing: return nil
    case .hidden(let reason):
      return .failure(.files, "\(path) cannot be looked at: \(reason).", nil)
    case .link:
      guard isPrivate else { return nil }
      return .failure(
        .files, "\(path) is a symbolic link, which could lead anywhere.",
        "Move what it points to here.")
    case .file(let mode, let isOwn) where !isFolder, .folder(let mode, let isOwn) where isFolder:
      guard isOwn else {
        return .failure(.files, "\(path) belongs to another user.", "Take it over by chown.")
      }
      guard mode & (isPrivate ? 0o077 : 0o022) == 0 else {
        let command = "chmod \(isPrivate ? (isFolder ? "700" : "600") : "go-w") \(path)"
        let others = isPrivate ? "read or change" : "change"
        return .failure(.files, "Others may \(others) \(path).", "Close it by \(command).")
      }
      return nil
    case .file, .folder, .other:
      return .failure(
        .files, "\(path) is not a \(isFolder ? "folder" : "file").", "Move it away.")
    }
  }

  /// - Parameter opening: the error with which it did not open, or `nil`.
  static func store(opening: StorageError?, examination: StoreExamination?) -> Finding {
    if let opening {
      return .failure(
        .store, opening.errorDescription, opening.recoverySuggestion ?? "Nothing was changed.")
    }
    guard let examination else {
      return .warning(.store, "There is no store yet.", "Run lifesignal to open an account.")
    }
    if let fault = examination.fault {
      return .failure(
        .store, "The store is damaged: \(fault).",
        "Stop everything and bring the last backup back with lifesignal restore.")
    }
    return .ok(
      .store,
      "The store opens: schema \(examination.schema), \(max(1, examination.bytes / 1_024)) KiB, all of"
        + " its pages in order.")
  }

  /// - Parameter lastChange: when something was last written that a backup should hold.
  static func backup(_ backups: [StoreBackup], lastChange: Date?, now: Date) -> Finding {
    guard let last = backups.first else {
      return .warning(.backup, "There is no backup yet.", "A monitor that runs makes one a day.")
    }
    let age = TimeSpan(seconds: max(0, Int(now.timeIntervalSince(last.madeAt))))
    let words = age.seconds < 60 ? "just now" : "\(age.shortDescription) ago"
    // A day passes between two of them, and another may have been missed.
    if let lastChange, lastChange.timeIntervalSince(last.madeAt) > 2 * 86_400 {
      return .warning(
        .backup, "The last backup was made \(words), before your last check-ins.",
        "Look for “no backup could be made” in the monitor's log.")
    }
    return .ok(
      .backup, "The last backup was made \(words); \(backups.count) of at most 7 are kept.")
  }
}
