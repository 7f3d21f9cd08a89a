/// An error that can be shown to a person (docs/errors.md).
///
/// A conforming type says everything in ``text``; an error that wraps one from a lower layer
/// returns that error's text.
public protocol AppError: Error, Equatable, Sendable {
  var text: ErrorText { get }
}

/// The description of an error, for people and for scripts.
public struct ErrorText: Codable, Equatable, Sendable {
  /// A stable, upper-case identifier such as `CONTACT_NOT_FOUND`.
  public var code: String
  /// One sentence that says what happened.
  public var description: String
  /// What the person can do about it, or `nil` if there is nothing.
  public var recovery: String?
  /// Whether the same request may succeed later.
  public var isRetryable: Bool
  /// The time to wait before that, if a service asks for one.
  public var retryAfter: TimeSpan?
  public var family: ErrorFamily
  /// Whether nobody is watched until a person has done something about it.
  public var isCritical = false

  public init(
    _ code: String, _ description: String, recovery: String? = nil, isRetryable: Bool = false,
    retryAfter: TimeSpan? = nil, family: ErrorFamily = .domain
  ) {
    self.code = code
    self.description = description
    self.recovery = recovery
    self.isRetryable = isRetryable
    self.retryAfter = retryAfter
    self.family = family
  }

  /// The code and what happened, in one line, for logs.
  public var line: String { "[\(code)] \(description)" }

  /// What happened and what to do, in one line.
  public var sentence: String { [description, recovery].compactMap(\.self).joined(separator: " ") }

  /// Returns the same text in another family.
  public func of(_ family: ErrorFamily) -> ErrorText {
    var text = self
    text.family = family
    return text
  }

  /// The same text, of an error that leaves everybody without a watch.
  public var critical: ErrorText {
    var text = self
    text.isCritical = true
    return text
  }

  /// Returns the text for a client's closure that a test did not expect to be called.
  public static func unimplemented(_ name: String) -> ErrorText {
    ErrorText("UNIMPLEMENTED", "\(name) is not implemented.", family: .infrastructure)
  }
}

/// The three families of errors (docs/errors.md).
public enum ErrorFamily: String, Codable, CaseIterable, Sendable {
  /// The request breaks a rule of the product, or is not possible now.
  case domain
  /// A store, a service or a device failed.
  case infrastructure
  /// The input is not valid.
  case validation
}

extension AppError {
  public var errorCode: String { text.code }
  public var errorDescription: String { text.description }
  public var recoverySuggestion: String? { text.recovery }
  public var isRetryable: Bool { text.isRetryable }
  public var family: ErrorFamily { text.family }
}
