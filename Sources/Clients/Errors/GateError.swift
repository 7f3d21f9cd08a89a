public import Domain
public import FoundationEssentials

/// The reason why the passphrase gate did not open (CHK-3).
public enum GateError: AppError, Codable {
  /// A passphrase is needed and none was given.
  case required
  case wrong
  /// Too many wrong ones in a row (AUTH-3).
  case locked(until: Date)
  /// The password was reset a short time ago and there is no gate, so that the operation has to
  /// wait (AUTH-5).
  case afterReset(until: Date)

  public var text: ErrorText {
    switch self {
    case .required:
      ErrorText(
        "PASSPHRASE_REQUIRED", "This needs your passphrase.", recovery: "Type it.")
    case .wrong:
      // The same words each time, so that they say nothing about the passphrase.
      ErrorText(
        "PASSPHRASE_WRONG", "The passphrase is wrong.",
        recovery:
          "Type it again. Five wrong ones lock it for a minute, and your responders are notified."
      )
    case .locked(let date):
      ErrorText(
        "PASSPHRASE_LOCKED",
        "Too many wrong passphrases.",
        recovery: "Try again after \(CivilCalendar.local.time(of: date).clock).", isRetryable: true)
    case .afterReset(let date):
      ErrorText(
        "AFTER_PASSWORD_RESET",
        "Your password was reset recently, so this has to wait. All your channels were notified.",
        recovery:
          "Do it again after \(CivilCalendar.local.describe(date)). You can check in and raise"
          + " alerts at any time.")
    }
  }
}
