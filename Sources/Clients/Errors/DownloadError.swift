public import Domain

/// The error of a download, after which no part of the file is left.
public enum DownloadError: AppError, Codable {
  /// The store did not return the file.
  case source(ClientError)
  /// The file could not be written on this machine.
  case destination(LocalFileError)
  /// The file had another size than expected.
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
