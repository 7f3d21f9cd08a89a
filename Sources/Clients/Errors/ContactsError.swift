public import Domain

/// Why a contact could not be read or changed.
public enum ContactsError: AppError, Codable {
  case notFound
  /// Somebody has changed the contact since it was read; this is what it has become.
  case changed(Contact)
  /// Another contact has this e-mail address.
  case alreadyExists(name: String)
  case notAuthenticated
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
        "CONTACT_EXISTS", "\(name) has this e-mail address already.",
        recovery: "Edit that contact instead.")
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
