public import Domain

/// Why a ping was not sent, withdrawn or answered.
public enum PingError: ClientFailure, Codable {
  /// The user does not respond for this contact, or they have not consented yet.
  case notAllowed
  /// A ping to this contact is open already (PNG-1).
  case alreadyOpen(name: String)
  /// The ping was answered, withdrawn or has expired.
  case notOpen
  case notAuthenticated
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAllowed:
      ErrorText(
        "PING_NOT_ALLOWED", "Only a responder can ping, and only whom they respond for.",
        recovery: "Look at this contact's roles.")
    case .alreadyOpen(let name):
      ErrorText(
        "PING_OPEN", "\(name) has not answered your last ping yet.",
        recovery: "Wait for the answer, or call them.")
    case .notOpen: ErrorText("PING_NOT_OPEN", "No such ping is open any more.")
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
