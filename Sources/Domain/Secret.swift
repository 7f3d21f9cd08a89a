/// A value that must not be read by accident: it is printed, recorded and reflected as dots, and a
/// recording gives back an empty one.
///
/// Two secrets compare by their values, so that state with a secret in it can still be compared.
public struct Secret<Value: Equatable & Sendable>: Equatable, Sendable {
  public var value: Value
  public init(_ value: Value) { self.value = value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "•••" }
  public var debugDescription: String { "•••" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A type whose secrets can be read from a recording, which gives back a placeholder.
public protocol SecretPlaceholder: Codable {
  static var secretPlaceholder: Self { get }
}

extension String: SecretPlaceholder {
  public static var secretPlaceholder: String { "" }
}

extension Array: SecretPlaceholder where Element: Codable {
  public static var secretPlaceholder: Self { [] }
}

extension CodingUserInfoKey {
  /// Set to encode secrets as they are: on the way to a server and back, never in a file.
  package static let secretsAsTheyAre = CodingUserInfoKey(rawValue: "lifesignal.secrets")!
}

extension Secret: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if encoder.userInfo[.secretsAsTheyAre] != nil, let value = value as? any Encodable {
      try container.encode(value)
    } else {
      try container.encode("•••")
    }
  }
}

extension Secret: Decodable where Value: SecretPlaceholder {
  public init(from decoder: any Decoder) throws {
    guard decoder.userInfo[.secretsAsTheyAre] != nil else {
      self.init(.secretPlaceholder)
      return
    }
    self.init(try decoder.singleValueContainer().decode(Value.self))
  }
}
