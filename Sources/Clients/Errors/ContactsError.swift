public import Domain

/// Why a contact could not be read or changed.
public enum ContactsError: ClientFailure, Codable {
  case notFound
  /// Somebody has changed the contact since it was read; this is what it has become.
  case changed(Contact)
  /// Another contact has one of the addresses.
  case alreadyExists(name: String)
  /// The code is the user's own.
  case cannotAddSelf
  /// There is a relation with whoever has the code, or one was asked for.
  case relationExists(name: String)
  /// Nobody has this code.
  case codeUnknown
  /// No contact was sent this code to decline by (CON-3), or too many wrong ones were typed.
  case code(ResponseError)
  /// Only the other can make the user their responder.
  case consentRequired(name: String)
  case notAuthenticated
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notFound:
      ErrorText("CONTACT_NOT_FOUND", "This contact is not there any more.")
    case .changed(let contact):
      ErrorText(
        "CONTACT_CHANGED", "\(contact.name) was changed in another place meanwhile.",
        recovery: "Look at what it is now, and change it again.")
    case .alreadyExists(let name):
      ErrorText(
        "CONTACT_EXISTS", "\(name) has this address already.",
        recovery: "Edit that contact instead.")
    case .cannotAddSelf:
      ErrorText(
        "CONTACT_SELF", "This is your own code.",
        recovery: "Give it to those who are to add you, and type theirs here.")
    case .relationExists(let name):
      ErrorText(
        "CONTACT_RELATED", "\(name) is among your contacts already, or has been asked.",
        recovery: "Open that contact instead.")
    case .codeUnknown:
      ErrorText(
        "CODE_UNKNOWN", "Nobody here has this code.",
        recovery: "Ask for the code again; a person's old one is unknown after a new one was made.")
    case .code(.unknownCode):
      ErrorText(
        "DECLINE_CODE_UNKNOWN", "None of your contacts was given this code.",
        recovery: "Type it as it stands in the message that named them as your contact.")
    case .code(let error): error.text
    case .consentRequired(let name):
      ErrorText(
        "CONSENT_REQUIRED", "Only \(name) can make you their responder.",
        recovery: "Ask them to choose that role for you.")
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
