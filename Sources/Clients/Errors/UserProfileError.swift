public import Domain

/// Why name and picture could not be changed: what stopped one stopped both.
public enum UserProfileError: ClientFailure, Codable {
  case user(UserError)
  case file(FileStorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .user(let error): error.text
    case .file(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
