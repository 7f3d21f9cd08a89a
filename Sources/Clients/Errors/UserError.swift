public import Domain
public import FoundationEssentials

/// Why the account could not be read or changed.
public enum UserError: ClientFailure, Codable {
  case notAuthenticated
  /// The password is wrong or missing (AUTH-5).
  case invalidCredentials
  /// Too many wrong passwords in a row (AUTH-3).
  case tooManyAttempts(until: Date)
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .invalidCredentials: AuthError.invalidCredentials.text
    case .tooManyAttempts(let date): AuthError.tooManyAttempts(until: date).text
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
