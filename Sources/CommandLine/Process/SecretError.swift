/// Why no secret was read. Never contains any part of it.
public enum SecretError: Error, Equatable, Sendable {
  /// The line was empty.
  case empty
  /// A pipe or file had no more lines.
  case ended
  /// The secret has more than 4,096 bytes.
  case tooLong
  /// Ctrl-C, or the end of input within the line.
  case cancelled
  case unreadable(reason: String)
}

extension CommandFailure {
  init(_ error: SecretError) {
    switch error {
    case .empty, .ended:
      self.init("No password or secret was typed.", advice: "Nothing was changed.")
    case .tooLong:
      self.init("The secret is longer than 4096 bytes.", advice: "Nothing was changed.")
    case .cancelled: self.init("Cancelled.", advice: "Nothing was changed.")
    case .unreadable(let reason): self.init("The secret could not be read: \(reason).")
    }
  }
}
