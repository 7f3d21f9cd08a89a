/// Text that must not be revealed by accident: when displayed, described or encoded, it is replaced
/// with one dot per character.
///
/// A secure ``TextField`` reports typed text in this form, so that neither a log nor a recording of
/// the program's actions contains a passphrase.
public struct SecureText: Hashable, Sendable {
  /// The actual text.
  public let plainText: String

  /// Wraps a text.
  public init(_ plainText: String) { self.plainText = plainText }
}

extension SecureText: CustomStringConvertible, CustomReflectable {
  /// One dot per character.
  public var description: String { String(repeating: "•", count: plainText.count) }

  /// A mirror without children, so that only the description is shown.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SecureText: Codable {
  /// Decodes what was encoded: dots.
  public init(from decoder: any Decoder) throws {
    plainText = try decoder.singleValueContainer().decode(String.self)
  }

  /// Encodes dots instead of the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
