public import Domain

/// Why a check-in or a change of its rules did not happen.
public enum CheckInError: ClientFailure, Codable {
  case notAuthenticated
  /// The deadline has passed, or nothing was heard since one did: a pause would hide it (CHK-7).
  case checkInFirst
  /// There is no pause to end.
  case notPaused
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .checkInFirst:
      ErrorText(
        "CHECK_IN_FIRST", "A deadline of yours has passed.", recovery: "Check in first, then pause."
      )
    case .notPaused: ErrorText("NOT_PAUSED", "You are not paused.")
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
