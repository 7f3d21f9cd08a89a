public import Domain

/// Why a service would not do what it was asked by us.
public enum AuthorizationError: AppError, Codable {
  /// It does not know who asks.
  case unauthorized
  /// It knows, and they may not.
  case forbidden

  public var text: ErrorText { words.of(.infrastructure) }

  private var words: ErrorText {
    switch self {
    case .unauthorized:
      ErrorText(
        "UNAUTHORIZED", "The service rejected the credentials.",
        recovery: "Check them.")
    case .forbidden:
      ErrorText(
        "FORBIDDEN", "The service doesn't allow this.", recovery: "Ask its administrator.")
    }
  }
}
