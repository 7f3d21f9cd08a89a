public import Domain

/// The error of reading or saving a secret. Its texts never contain the secret.
public enum KeychainError: ClientFailure, Codable {
  case permissionDenied(String)
  case unavailable(String)
  case unimplemented(String)

  public var text: ErrorText { plainText.of(.infrastructure) }

  private var plainText: ErrorText {
    switch self {
    case .permissionDenied(let detail):
      ErrorText("KEYCHAIN_PERMISSION", "The saved secrets can't be used: \(detail).")
    case .unavailable(let detail):
      ErrorText("KEYCHAIN", "The saved secrets can't be read: \(detail).", isRetryable: true)
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
