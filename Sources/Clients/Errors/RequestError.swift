public import Domain

/// A service's refusal by its own rules.
public enum RequestError: AppError, Codable {
  /// The object has changed in the meantime, or exists already.
  case conflict
  /// The service understood the request and can't carry it out. The reasons are its own, such as
  /// "name: too long", each in one printable line.
  case unprocessable(reasons: [String])

  public var text: ErrorText {
    switch self {
    case .conflict:
      ErrorText(
        "REQUEST_CONFLICT", "This was changed at the service in the meantime.",
        recovery: "Check the new version and make your change again.")
    case .unprocessable(let reasons):
      ErrorText(
        "REQUEST_UNPROCESSABLE",
        "The service cannot do what it was asked\(reasons.isEmpty ? "" : ": ")"
          + "\(reasons.joined(separator: "; ")).",
        recovery: reasons.isEmpty ? nil : "Change that and try again.")
    }
  }
}
