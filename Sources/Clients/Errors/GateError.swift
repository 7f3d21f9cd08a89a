public import Domain
public import FoundationEssentials

/// Why the passphrase gate did not open (CHK-3).
public enum GateError: AppError, Codable {
  /// A passphrase is asked for and none was given.
  case required
  case wrong
  /// Too many wrong ones in a row (AUTH-3).
  case locked(until: Date)
  /// The password was reset a short time ago, and there is no gate: what was asked for waits (AUTH-5).
  case afterReset(until: Date)

  public var text: ErrorText {
    switch self {
    case .required:
      ErrorText(
        "PASSPHRASE_REQUIRED", "Your passphrase is needed for this.", recovery: "Type it.")
    case .wrong:
      ErrorText("PASSPHRASE_WRONG", "This is not your passphrase.", recovery: "Type it again.")
    case .locked(let date):
      ErrorText(
        "PASSPHRASE_LOCKED",
        "Too many wrong passphrases.",
        recovery: "Try again from \(CivilCalendar.local.describe(date)) on.", isRetryable: true)
    case .afterReset(let date):
      ErrorText(
        "AFTER_PASSWORD_RESET",
        "Your password was reset a short time ago, so this waits and was said on all your channels.",
        recovery: "Do it again from \(CivilCalendar.local.describe(date)) on. You can check in and"
          + " raise alerts at any time.")
    }
  }
}
