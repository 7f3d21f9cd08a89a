public import Domain

/// Why a stored file could not be written, read, changed or deleted.
public enum FileStorageError: ClientFailure, Codable {
  case notAuthenticated
  case invalid(ValidationError)
  /// There is no such file, or none that this person may know of.
  case notFound
  /// A document that responders may open only while an alert is on.
  case closed
  /// The file's bytes are gone, or not as many as there were.
  case damaged
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .invalid(let error): error.text
    case .notFound:
      ErrorText("FILE_GONE", "This file is not there any more, or not for you to open.")
    case .closed:
      ErrorText(
        "DOCUMENT_CLOSED", "This document may be opened only while an alert is on.",
        recovery: "Open it then, or ask its owner.")
    case .damaged:
      ErrorText(
        "FILE_DAMAGED", "The file's contents are gone or damaged.",
        recovery: "Its owner has to add it anew.", family: .infrastructure)
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
