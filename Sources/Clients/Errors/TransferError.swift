public import Domain

/// Why an account could not be taken out of a store or into one.
public enum TransferError: ClientFailure, Codable {
  case notAuthenticated
  case gate(GateError)
  /// The file is something else.
  case notAnExport
  /// The file has a form that this program does not know.
  case version(Int)
  /// Something in the file breaks a rule.
  case invalid(String)
  case storage(StorageError)
  case unimplemented(String)

  public var text: ErrorText {
    switch self {
    case .notAuthenticated: AuthError.notAuthenticated.text
    case .gate(let error): error.text
    case .notAnExport:
      ErrorText("NOT_AN_EXPORT", "This is no file that lifesignal export has written.")
    case .version(let version):
      ErrorText(
        "EXPORT_VERSION", "The file has version \(version) of the export, which is not known here.",
        recovery: "Install the newer lifesignal. Nothing was changed.")
    case .invalid(let detail):
      ErrorText(
        "EXPORT_INVALID", "The file is not as an export should be: \(detail).",
        recovery: "Nothing was changed.")
    case .storage(let error): error.text
    case .unimplemented(let name): .unimplemented(name)
    }
  }
}
