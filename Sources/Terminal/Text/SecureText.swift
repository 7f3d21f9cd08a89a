/// Text that nobody may read by chance: wherever it is shown, described or encoded there are dots in
/// its place, as many as it has characters.
///
/// A secure ``TextField`` hands over what is typed as such text, so that neither a log nor a recording of a
/// program's actions holds a passphrase.
public struct SecureText: Hashable, Sendable {
  /// The text itself.
  public let plainText: String

  /// Makes text that cannot be read by chance.
  public init(_ plainText: String) { self.plainText = plainText }
}

extension SecureText: CustomStringConvertible, CustomReflectable {
  /// Dots.
  public var description: String { String(repeating: "•", count: plainText.count) }

  /// Nothing inside: it is shown by its description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SecureText: Codable {
  /// Reads what was written: dots.
  public init(from decoder: any Decoder) throws {
    plainText = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes dots.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
