public import Domain
public import FoundationEssentials

/// Why somebody could not sign in, or an account could not be had (AUTH-1).
public enum AuthError: ClientFailure, Codable {
  /// Nobody is signed in.
  case notAuthenticated
  /// There is an account here; a further one needs an e-mail address and a password.
  case accountExists
  /// The password is wrong, or there is no such account: nobody learns which (AUTH-3).
  case invalidCredentials
  case emailAlreadyInUse
  /// Too many wrong passwords in a row (AUTH-3).
  case tooManyAttempts(until: Date)
  /// The session ran out or was revoked (AUTH-2).
  case sessionExpired
  /// A code to set a new password is wrong or too old.
  case resetCodeInvalid
  /// A password needs an e-mail address to sign in with.
  case emailRequired
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case keychain(KeychainError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated:
      ErrorText(
        "NOT_AUTHENTICATED", "Nobody is signed in here.",
        recovery: "Sign in with lifesignal sign-in, or open an account with lifesignal init.")
    case .accountExists:
      ErrorText(
        "ACCOUNT_EXISTS", "There is an account here already.",
        recovery: "Start lifesignal to see it, or sign up with a password beside it.")
    case .invalidCredentials:
      ErrorText(
        "INVALID_CREDENTIALS", "No account has this e-mail address and password.",
        recovery: "Type both again.")
    case .emailAlreadyInUse:
      ErrorText(
        "EMAIL_IN_USE", "Another account here has this e-mail address.",
        recovery: "Sign in with it, or take another one.")
    case .tooManyAttempts(let date):
      ErrorText(
        "TOO_MANY_ATTEMPTS",
        "Too many wrong passwords.",
        recovery: "Try again from \(CivilCalendar.local.describe(date)) on.", isRetryable: true)
    case .sessionExpired:
      ErrorText("SESSION_EXPIRED", "You have been signed out.", recovery: "Sign in again.")
    case .resetCodeInvalid:
      ErrorText(
        "RESET_CODE_INVALID", "This code is wrong or too old.",
        recovery: "Ask for another one.")
    case .emailRequired:
      ErrorText(
        "EMAIL_REQUIRED", "A password needs an e-mail address to sign in with.",
        recovery: "Put one into your profile first.")
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .keychain(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
