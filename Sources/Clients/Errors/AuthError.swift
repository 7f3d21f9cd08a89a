public import Domain

/// Why an account could not be had.
public enum AuthError: AppError, Codable {
  case notAuthenticated
  /// This store has its local account already.
  case accountExists
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated:
      ErrorText(
        "NOT_AUTHENTICATED", "There is no account here yet.",
        recovery: "Start lifesignal, or run lifesignal init.")
    case .accountExists:
      ErrorText(
        "ACCOUNT_EXISTS", "There is an account here already.",
        recovery: "Start lifesignal to see it.")
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
