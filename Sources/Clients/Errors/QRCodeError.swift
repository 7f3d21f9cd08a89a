public import Domain

/// Why a QR code was not drawn or not saved.
public enum QRCodeError: AppError, Codable {
  /// A text is longer than the largest code holds.
  case tooLong
  /// A picture's name ends neither in `.png` nor in `.svg`.
  case unknownFormat
  /// There is a file of this name.
  case exists(path: String)
  case cannotWrite(path: String, reason: String)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .tooLong: ErrorText("QR_TOO_LONG", "No QR code holds a text of this length.")
    case .unknownFormat:
      ErrorText(
        "QR_FORMAT", "The picture's name must end in .png or .svg.",
        recovery: "Write it like code.png.")
    case .exists(let path):
      ErrorText("QR_EXISTS", "There is a file \(path).", recovery: "Choose another name.")
    case .cannotWrite(let path, let reason):
      ErrorText("QR_CANNOT_WRITE", "\(path) cannot be written: \(reason).")
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
