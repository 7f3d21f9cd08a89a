public import Domain

/// The error of a file on this machine.
public enum LocalFileError: ClientFailure, Codable {
  case notFound(path: String)
  case tooLarge(path: String)
  case cannotRead(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  /// A file of that name exists, and is left unchanged.
  case exists(path: String)
  /// Neither a variable nor the home folder says where documents are kept.
  case noHome
  case unimplemented(String)

  public var text: ErrorText { plainText.of(.infrastructure) }

  private var plainText: ErrorText {
    switch self {
    case .notFound(let path):
      ErrorText("FILE_NOT_FOUND", "\(path) doesn't exist.", recovery: "Check the path.")
    case .tooLarge(let path):
      ErrorText(
        "FILE_TOO_LONG", "\(path) is too large.", recovery: "Choose a smaller one.")
    case .cannotRead(let path, let reason):
      ErrorText(
        "FILE_UNREADABLE", "\(path) can't be read: \(reason).", isRetryable: true)
    case .cannotWrite(let path, let reason):
      ErrorText(
        "FILE_UNWRITABLE", "\(path) can't be written: \(reason).", isRetryable: true)
    case .exists(let path):
      ErrorText("FILE_EXISTS", "\(path) already exists.", recovery: "Choose another name.")
    case .noHome:
      ErrorText(
        "NO_HOME", "There is no home folder to save files in.",
        recovery: "Set HOME to an absolute path.")
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
