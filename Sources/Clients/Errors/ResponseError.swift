public import Domain
public import FoundationEssentials

/// Why a code did not count.
public enum ResponseError: ClientFailure, Codable {
  /// No message ever said this code.
  case unknownCode
  /// The alert that the code belongs to is over.
  case alertEnded(person: String)
  /// An unknown code after too many others; a right one always counts.
  case tooManyAttempts(until: Date)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .unknownCode:
      ErrorText(
        "RESPONSE_CODE_UNKNOWN", "Nobody was sent this code.",
        recovery: "Type it as the message has it, like 7K3QF-9ZD2M.")
    case .alertEnded(let person):
      ErrorText(
        "ALERT_ENDED", "The alert about \(person) is over; nobody needs to do anything.")
    case .tooManyAttempts:
      ErrorText(
        "TOO_MANY_CODES", "This code is wrong as well; too many wrong ones were typed.",
        recovery: "Look at the message: the code that stands there always counts.")
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
