/// An enum to which newer versions may add values. In a server's answer, a value that this version
/// doesn't know is read as ``fallback``, so that an older app shows the rest; anywhere else it is
/// refused, because what is stored or sent on must stay what it was.
public protocol ExtensibleEnum: RawRepresentable, Codable, Sendable where RawValue == String {
  /// The value that misleads least.
  static var fallback: Self { get }
}

extension ExtensibleEnum {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(rawValue: text) ?? (decoder.isReadingAnswer ? Self.fallback : nil) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "This isn't a \(Self.self).")
    }
    self = value
  }
}

extension CodingUserInfoKey {
  /// Whether the answer of a server is read, which may be newer than this program.
  package static let isAnswer = CodingUserInfoKey(rawValue: "lifesignal.answer")!
}

extension Decoder {
  var isReadingAnswer: Bool { userInfo[.isAnswer] as? Bool == true }
}

// MARK: What newer values are read as

// The person did not do it by hand here.
extension CheckIn.Source: ExtensibleEnum { public static var fallback: Self { .automatic } }
// Somebody may need help.
extension Alert.Kind: ExtensibleEnum { public static var fallback: Self { .manual } }
// Nothing is known of it yet.
extension DeliveryState: ExtensibleEnum { public static var fallback: Self { .pending } }
extension AccountLink.State: ExtensibleEnum { public static var fallback: Self { .requested } }
// It can't be answered any more.
extension Ping.State: ExtensibleEnum { public static var fallback: Self { .withdrawn } }
extension Invitation.End: ExtensibleEnum { public static var fallback: Self { .revoked } }
// The person must not believe that more people can open it than do.
extension EmergencyDocument.Access: ExtensibleEnum {
  public static var fallback: Self { .always }
}
extension NotificationItem.Kind: ExtensibleEnum { public static var fallback: Self { .info } }
// Shown with the name of its kind: see `Channel.init(from:)`.
extension Channel.Kind: ExtensibleEnum { public static var fallback: Self { .service } }
