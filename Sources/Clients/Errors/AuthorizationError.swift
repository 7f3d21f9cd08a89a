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
        "UNAUTHORIZED", "The service does not accept our credentials.",
        recovery: "Give it the right ones.")
    case .forbidden:
      ErrorText(
        "FORBIDDEN", "The service does not allow this.", recovery: "Ask whoever looks after it.")
    }
  }
}
