public import Domain

/// The error of a service on the network.
public enum NetworkError: AppError, Codable {
  /// There is no connection, or it was lost.
  case connectionFailed
  /// The request may have arrived, but there was no answer.
  case unanswered
  /// The server of this name, which this machine has joined, does not answer.
  case serverUnreachable(String)
  /// The service could not prove its identity.
  case notTrusted
  /// Too many requests; `retryAfter` is the wait that the service asks for, if any.
  case rateLimited(retryAfter: TimeSpan?)
  /// The service failed, with its HTTP status.
  case serverError(Int)
  /// An answer that we don't understand, with its HTTP status.
  case unexpectedAnswer(Int)
  /// The server has another key than the one in its invitation.
  case otherKey
  /// The answer doesn't come from a LifeSignal server; with its HTTP status.
  case notLifeSignal(Int)
  case answerTooLarge
  /// The answer comes from another version, or is damaged.
  case answerUnreadable
  /// The server accepts only newer apps.
  case versionRefused
  /// The server is too old to know the operation.
  case operationUnknown
  /// The library that connects to servers isn't installed.
  case libraryMissing

  public var text: ErrorText { plainText.of(.infrastructure) }

  private var plainText: ErrorText {
    switch self {
    case .connectionFailed:
      ErrorText(
        "CONNECTION_FAILED", "Can't connect to the service.",
        recovery: "Check your network and try again.", isRetryable: true)
    case .unanswered:
      ErrorText(
        "UNANSWERED", "The server hasn't answered, so this may or may not have been done.",
        recovery: "Check whether it was, then try again.", isRetryable: true)
    case .serverUnreachable(let server):
      ErrorText(
        "SERVER_UNREACHABLE", "This needs the server \(server), which can't be reached.",
        recovery: "Check your network and try again.", isRetryable: true)
    case .notTrusted:
      ErrorText(
        "NOT_TRUSTED", "The service's certificate isn't valid.",
        recovery: "Check the address and the certificate.")
    case .rateLimited(let wish):
      ErrorText(
        "RATE_LIMITED", "The service got too many requests.",
        recovery: wish.map { "Try again in \($0.inWords)." } ?? "Try again later.",
        isRetryable: true, retryAfter: wish)
    case .serverError(let status):
      ErrorText(
        "SERVER_ERROR", "The service failed (HTTP \(status)).",
        recovery: "Try again later.", isRetryable: true)
    case .unexpectedAnswer(let status):
      ErrorText(
        "UNEXPECTED_ANSWER", "The service gave an unexpected answer (HTTP \(status)).",
        recovery: "Check the address.")
    case .otherKey:
      ErrorText(
        "OTHER_KEY", "The server's key isn't the one in the invitation, so nothing was sent to it.",
        recovery: "Someone may be intercepting the connection. Ask the person who runs the server.")
    case .notLifeSignal(let status):
      ErrorText(
        "NOT_LIFESIGNAL", "The answer doesn't come from a LifeSignal server (HTTP \(status)).",
        recovery:
          "On a guest network, open a web page and sign in there first; otherwise"
          + " check the address.",
        isRetryable: true)
    case .answerTooLarge:
      ErrorText(
        "ANSWER_TOO_LARGE", "The server's answer is too large to come from LifeSignal.",
        recovery: "Check the address.")
    case .answerUnreadable:
      ErrorText(
        "ANSWER_UNREADABLE", "The server's answer can't be read.",
        recovery: "Use the same version of LifeSignal here and on the server.")
    case .versionRefused:
      ErrorText(
        "VERSION_REFUSED", "This version of LifeSignal is too old for the server.",
        recovery: "Install the newest version.")
    case .operationUnknown:
      ErrorText(
        "OPERATION_UNKNOWN", "The server's version of LifeSignal is too old for this.",
        recovery: "Ask the person who runs the server to install the newest one.")
    case .libraryMissing:
      ErrorText(
        "LIBRARY_MISSING", "libcurl, which reaches the server, can't be loaded.",
        recovery: "Install the package libcurl4.")
    }
  }
}
