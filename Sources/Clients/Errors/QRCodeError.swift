public import Domain

/// The error of drawing, saving or reading a QR code.
public enum QRCodeError: ClientFailure, Codable {
  /// A text is too long for the largest code.
  case tooLong
  /// A picture's name ends in neither `.png` nor `.svg`.
  case unknownFormat
  /// A file of this name exists.
  case exists(path: String)
  case cannotWrite(path: String, reason: String)
  /// A picture to read is neither PNG nor JPEG.
  case unknownPicture
  case damagedPicture
  /// It has more pixels than are searched.
  case tooManyPixels
  case noCode
  /// The picture has several codes, and any of them may be the one that is meant.
  case severalCodes
  /// The code isn't an account's.
  case otherCode
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .tooLong: ErrorText("QR_TOO_LONG", "This text is too long for a QR code.")
    case .unknownFormat:
      ErrorText(
        "QR_FORMAT", "The picture's name must end in .png or .svg.",
        recovery: "Use a name like code.png.")
    case .exists(let path):
      ErrorText("QR_EXISTS", "\(path) already exists.", recovery: "Choose another name.")
    case .cannotWrite(let path, let reason):
      ErrorText("QR_CANNOT_WRITE", "\(path) can't be written: \(reason).")
    case .unknownPicture:
      ErrorText(
        "QR_PICTURE_FORMAT", "Only PNG and JPEG pictures work.",
        recovery: "Choose another file, or type the code.")
    case .damagedPicture:
      ErrorText(
        "QR_PICTURE_DAMAGED", "The picture is damaged.",
        recovery: "Choose another file, or type the code.")
    case .tooManyPixels:
      ErrorText(
        "QR_PICTURE_LARGE", "The picture has too many pixels.",
        recovery: "Choose a smaller one, or crop it to the code.")
    case .noCode:
      ErrorText(
        "QR_NONE", "No QR code can be read in the picture.",
        recovery: "Take a picture of the whole code from straight above, or type the code.")
    case .severalCodes:
      ErrorText(
        "QR_SEVERAL", "There are several QR codes in the picture.",
        recovery: "Crop it to one code.")
    case .otherCode:
      ErrorText(
        "QR_OTHER", "The QR code in the picture isn't a LifeSignal code.",
        recovery: "Ask for theirs; they can show it with k.")
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
