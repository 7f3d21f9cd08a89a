import CSodium
import FoundationEssentials

/// Short texts that only their maker can read: XSalsa20-Poly1305 with libsodium, in letters that
/// fit in a URL. Neither the length nor a repetition reveals what is inside.
public struct SecretBox: Sendable {
  private let key: [UInt8]

  /// Shorter texts are filled up to this length; longer ones grow by steps. Both make a number of
  /// bytes that base64 needs no padding for.
  private static let length = 80
  private static let step = 48

  /// Creates a box with a random key.
  public init() { key = SecureRandom.bytes(Int(crypto_secretbox_keybytes())) }

  /// Creates a box with a key for one use, which everyone can derive who knows the secret.
  public init(secret: String, for use: String) {
    key = MessageAuthentication.code(for: Array(use.utf8), key: Array(secret.utf8))
  }

  public func seal(_ text: String) -> String {
    precondition(Sodium.isReady)
    var bytes = Array(text.utf8)
    var length = Self.length
    while length < bytes.count { length += Self.step }
    bytes += Array(repeating: 0, count: length - bytes.count)
    let nonce = SecureRandom.bytes(Int(crypto_secretbox_noncebytes()))
    var closed = [UInt8](repeating: 0, count: length + Int(crypto_secretbox_macbytes()))
    crypto_secretbox_easy(&closed, bytes, UInt64(bytes.count), nonce, key)
    return Data(nonce + closed).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_")
  }

  /// - Returns: `nil` for a text that was sealed with another key, or never sealed.
  public func open(_ sealed: String) -> String? {
    precondition(Sodium.isReady)
    let base64 = sealed.replacing("-", with: "+").replacing("_", with: "/")
    let (head, tail) = (Int(crypto_secretbox_noncebytes()), Int(crypto_secretbox_macbytes()))
    guard let data = Data(base64Encoded: base64), data.count > head + tail else { return nil }
    var bytes = [UInt8](repeating: 0, count: data.count - head - tail)
    let closed = Array(data.dropFirst(head))
    guard
      crypto_secretbox_open_easy(
        &bytes, closed, UInt64(closed.count), Array(data.prefix(head)), key) == 0
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
