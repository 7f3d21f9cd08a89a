public import Domain

/// Why a service would not do what it was asked, for reasons of its own rules.
public enum RequestError: AppError, Codable {
  /// What was to be changed has changed meanwhile, or is there already.
  case conflict
  /// It understood the request and cannot follow it.
  case unprocessable

  public var text: ErrorText {
    switch self {
    case .conflict:
      ErrorText(
        "REQUEST_CONFLICT", "This has changed at the service meanwhile.",
        recovery: "Look at what it is now.")
    case .unprocessable:
      ErrorText("REQUEST_UNPROCESSABLE", "The service cannot do what it was asked.")
    }
  }
}
