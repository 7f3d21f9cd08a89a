/// Text in a state: a title, a message, a button's label. It is a value that a reducer can make and a
/// test can compare; a view decides how it looks.
public struct TextState: Hashable, Sendable, Codable {
  /// The text.
  public var text: String

  /// Makes text.
  public init(_ text: some StringProtocol) { self.text = String(text) }

  /// One text after the other.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.text + rhs.text) }
}

extension TextState: ExpressibleByStringInterpolation {
  /// Makes text of a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension TextState: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension TextState: CustomReflectable {
  /// The text, as of a string.
  public var customMirror: Mirror { Mirror(reflecting: text) }
}
