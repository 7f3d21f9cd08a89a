public import Domain

/// Why a channel could not be read, added, removed or tried.
public enum ChannelError: ClientFailure, Codable {
  /// The channel, or the contact whose it was to be, is not there any more.
  case notFound
  /// Somebody – the person themselves, too – has this address already.
  case alreadyExists(name: String)
  /// The address of the account belongs to the profile.
  case isProfileAddress
  /// Whose channel it is does not want to be a contact: they are told nothing more (CON-3).
  case declined(name: String)
  case notAuthenticated
  case gate(GateError)
  case invalid(ValidationError)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notFound: ErrorText("CHANNEL_NOT_FOUND", "This channel is not there any more.")
    case .alreadyExists(let name):
      ErrorText(
        "CHANNEL_EXISTS", "\(name) has this address already.", recovery: "Give another one.")
    case .isProfileAddress:
      ErrorText(
        "CHANNEL_IN_PROFILE", "This is the e-mail address of your account.",
        recovery: "Change it in your profile.")
    case .declined(let name):
      ErrorText("CONTACT_DECLINED", "\(name) does not want to be told anything.")
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .gate(let error): error.text
    case .invalid(let error): error.text
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
