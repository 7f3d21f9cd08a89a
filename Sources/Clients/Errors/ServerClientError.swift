public import Domain

/// Why a server did not do what it was asked.
public enum ServerClientError: ClientFailure, Codable {
  /// It does not accept the e-mail address and password, or does not allow this.
  case unauthorized
  /// The session has expired or was revoked.
  case tokenExpired
  /// It failed; the message is its own, in one printable line.
  case internalServerError(message: String)
  /// It will not do this, such as open an account that there is; the message is its own, in one
  /// printable line.
  case rejected(message: String)
  /// It said that it did it, and then what nobody understands.
  case decodingFailed
  case network(NetworkError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .unauthorized:
      ErrorText(
        "SERVER_SIGN_IN", "The server doesn't recognize you.", recovery: "Sign in again.")
    case .tokenExpired:
      ErrorText(
        "TOKEN_EXPIRED", "You have been signed out of the server.", recovery: "Sign in again.")
    case .internalServerError(let message):
      ErrorText(
        "SERVER_FAILED", "The server failed\(Self.ending(message))",
        recovery: "Try again later.", isRetryable: true, family: .infrastructure)
    case .rejected(let message):
      ErrorText("SERVER_REJECTED", "The server refused this\(Self.ending(message))")
    case .decodingFailed:
      ErrorText(
        "SERVER_ANSWER", "The server's answer can't be understood.",
        recovery: "Check the address.", family: .infrastructure)
    case .network(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }

  private static func ending(_ message: String) -> String {
    message.isEmpty ? "." : ": \(message)\(message.hasSuffix(".") ? "" : ".")"
  }
}
