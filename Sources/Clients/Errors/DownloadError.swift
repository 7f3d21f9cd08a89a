public import Domain

/// Why a download came to nothing; no part of the file is left then.
public enum DownloadError: AppError, Codable {
  /// The store did not give the file.
  case source(ClientError)
  /// It could not be written here.
  case destination(LocalFileError)
  /// It had another size than was expected.
  case incomplete

  public var text: ErrorText {
    switch self {
    case .source(let error): error.text
    case .destination(let error): error.text
    case .incomplete:
      ErrorText(
        "DOWNLOAD_INCOMPLETE", "The download was cut off; nothing was saved.",
        recovery: "Try again.", isRetryable: true, family: .infrastructure)
    }
  }
}
