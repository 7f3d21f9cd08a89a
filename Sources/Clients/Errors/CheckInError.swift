public import Domain

/// Why a check-in or a change of its rules did not happen.
public enum CheckInError: AppError, Codable {
  case notAuthenticated
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
