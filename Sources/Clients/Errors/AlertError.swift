public import Domain

/// Why an alert could not be raised or cancelled.
public enum AlertError: ClientFailure, Codable {
  /// There is no active alert to cancel.
  case notActive
  /// No drill begins while an alert is on (ALT-8).
  case alertIsOn
  /// What was to be stopped is on.
  case alreadyOn
  case notAuthenticated
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notActive: ErrorText("ALERT_NOT_ACTIVE", "There is no active alert.")
    case .alertIsOn:
      ErrorText(
        "ALERT_IS_ON", "An alert is on, so no drill begins: nobody may take it for one.",
        recovery: "End the alert first.")
    case .alreadyOn:
      ErrorText(
        "ALERT_ALREADY_ON", "The alert is on already.",
        recovery: "To end it, cancel it: everybody who was notified of it is notified of the end.")
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
