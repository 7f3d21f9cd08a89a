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
  /// A ``SecretOpener``, for secrets that were sealed.
  package static let secretOpener = CodingUserInfoKey(rawValue: "lifesignal.opener")!
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

/// Reads a secret that was sealed on the way to a server.
package struct SecretOpener: Sendable {
  package var open: @Sendable (any Decoder) throws -> String

  package init(_ open: @escaping @Sendable (any Decoder) throws -> String) { self.open = open }
}

extension Secret: Decodable where Value: SecretPlaceholder {
  public init(from decoder: any Decoder) throws {
    guard decoder.userInfo[.secretsAsTheyAre] != nil else {
      self.init(.secretPlaceholder)
      return
    }
    let container = try decoder.singleValueContainer()
    do { self.init(try container.decode(Value.self)) } catch {
      guard let opener = decoder.userInfo[.secretOpener] as? SecretOpener,
        let value = try opener.open(decoder) as? Value
      else { throw error }
      self.init(value)
    }
  }
}
