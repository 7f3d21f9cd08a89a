public import Domain

/// The reason why a picture can't be shown.
public enum PictureError: ClientFailure, Codable {
  /// It is neither PNG nor JPEG.
  case unknownFormat
  case damaged
  /// It has more pixels than can be decoded.
  case tooManyPixels
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .unknownFormat: ValidationError.pictureFormat.text
    case .damaged:
      ErrorText("PICTURE_DAMAGED", "The picture is damaged.", recovery: "Choose another file.")
    case .tooManyPixels:
      ErrorText(
        "PICTURE_PIXELS", "The picture has more than 24 million pixels.",
        recovery: "Choose a smaller one.")
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
