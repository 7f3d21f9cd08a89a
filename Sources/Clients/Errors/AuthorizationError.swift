public import Domain

/// A service's refusal because of who is asking.
public enum AuthorizationError: AppError, Codable {
  /// The service does not know who is asking.
  case unauthorized
  /// The service knows who is asking, and does not allow it.
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
