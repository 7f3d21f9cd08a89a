public import Domain

/// The error of reading or writing the store (the infrastructure family).
public enum StorageError: ClientFailure, Codable {
  case documentNotFound(String)
  case permissionDenied(String)
  /// Another writer has changed a document since it was read.
  case conflict(String)
  case serialization(String)
  /// The disk is full; nothing was written.
  case full
  /// The file is damaged or not a database; `detail` says where it was set aside.
  case corrupt(detail: String)
  /// A newer version of the program wrote the file; it was left untouched.
  case newerSchema(found: Int, known: Int)
  /// Another process held the lock for longer than the busy time-out.
  case busy
  /// There was a store here once, and it is gone or empty; a new one would watch nobody.
  case missing(path: String)
  /// There is no backup, or none that can be restored.
  case noBackup(path: String)
  /// The store is a server's, and could not be reached.
  case network(NetworkError)
  /// The connection was lost before a write was confirmed, so that it may or may not be kept.
  case unknownOutcome
  case unknown(String)
  case unimplemented(String)

  public var text: ErrorText { plainText.of(.infrastructure) }

  private var plainText: ErrorText {
    switch self {
    case .documentNotFound(let path):
      ErrorText("DOCUMENT_NOT_FOUND", "There is no document “\(path)”.")
    case .permissionDenied(let detail):
      ErrorText("PERMISSION_DENIED", "The store can't be used: \(detail).")
    case .conflict(let path):
      ErrorText(
        "CONFLICT", "“\(path)” was changed in the meantime.", recovery: "Check it and try again.",
        isRetryable: true)
    case .serialization(let detail):
      ErrorText("SERIALIZATION", "Stored data can't be read: \(detail).")
    case .full:
      ErrorText(
        "DISK_FULL", "The disk is full; nothing was changed.",
        recovery: "Free some space and try again.", isRetryable: true
      ).critical
    case .corrupt(let detail):
      ErrorText(
        "STORE_CORRUPT", "The store is damaged. \(detail)",
        recovery: Self.recoveryOptions
      ).critical
    case .newerSchema(let found, let known):
      ErrorText(
        "NEWER_SCHEMA",
        "The store was written by a newer lifesignal (schema \(found); this one knows \(known)).",
        recovery: "Install the newer version. Nothing was changed.")
    case .busy:
      ErrorText(
        "STORE_BUSY", "Another program is using the store.", recovery: "Try again in a moment.",
        isRetryable: true)
    case .missing(let path):
      ErrorText(
        "STORE_MISSING", "The store \(path) is missing or empty.",
        recovery: Self.recoveryOptions
      ).critical
    case .noBackup(let path):
      ErrorText("NO_BACKUP", "There is no usable backup in \(path).")
    case .network(let error): error.text
    case .unknownOutcome:
      ErrorText(
        "OUTCOME_UNKNOWN",
        "The connection to the store was lost before it said whether the change was kept.",
        recovery: "Check whether it was, then try again.", isRetryable: true)
    case .unknown(let detail):
      ErrorText("STORAGE", "The store failed: \(detail).", isRetryable: true)
    case .unimplemented(let name): .unimplemented(name)
    }
  }

  private static let recoveryOptions =
    "Run lifesignal restore, or start with a new store: lifesignal --set-aside."
}
