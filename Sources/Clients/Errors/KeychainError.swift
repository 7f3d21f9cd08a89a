public import Domain

/// Why a secret could not be read or kept. The texts never hold a secret.
public enum KeychainError: ClientFailure, Codable {
  case permissionDenied(String)
  case unavailable(String)
  case unimplemented(String)

  public var text: ErrorText { words.of(.infrastructure) }

  private var words: ErrorText {
    switch self {
    case .permissionDenied(let detail):
      ErrorText("KEYCHAIN_PERMISSION", "The secrets may not be used: \(detail).")
    case .unavailable(let detail):
      ErrorText("KEYCHAIN", "The secrets could not be reached: \(detail).", isRetryable: true)
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
