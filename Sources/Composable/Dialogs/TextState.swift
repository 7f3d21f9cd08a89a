/// Text in a state: a title, a message or a button's label. A reducer can create it and a test can
/// compare it; a view decides how it looks.
public struct TextState: Hashable, Sendable, Codable {
  /// The text.
  public var text: String

  /// Creates text from a string.
  public init(_ text: some StringProtocol) { self.text = String(text) }

  /// Returns two texts joined together.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.text + rhs.text) }
}

extension TextState: ExpressibleByStringInterpolation {
  /// Creates text from a literal.
  public init(stringLiteral text: String) { self.init(text) }
}

extension TextState: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension TextState: CustomReflectable {
  /// A mirror like that of a string.
  public var customMirror: Mirror { Mirror(reflecting: text) }
}
