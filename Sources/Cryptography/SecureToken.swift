import CSodium

/// A secret that nobody can guess: 32 random bytes in 64 hexadecimal digits.
public struct SecureToken: Equatable, Sendable {
  public let text: String

  public init() {
    precondition(Sodium.isReady)
    var bytes = [UInt8](repeating: 0, count: 32)
    randombytes_buf(&bytes, bytes.count)
    text = bytes.hexadecimal
  }

  public init(text: String) { self.text = text }

  /// The BLAKE2b-256 digest of the text, which is all that a store keeps of it.
  public var digest: String {
    precondition(Sodium.isReady)
    var digest = [UInt8](repeating: 0, count: Int(crypto_generichash_bytes()))
    let bytes = Array(text.utf8)
    crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
    return digest.hexadecimal
  }
}

extension SecureToken {
  /// A new secret that signs a webhook: `whsec_` and 32 random bytes in base64, according to the
  /// Standard Webhooks specification, *Signature scheme*.
  public static var webhookSecret: String {
    precondition(Sodium.isReady)
    var bytes = [UInt8](repeating: 0, count: 32)
    randombytes_buf(&bytes, bytes.count)
    let variant = sodium_base64_VARIANT_ORIGINAL
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return "whsec_"
      + String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension [UInt8] {
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension SecureToken {
  /// A new code of an invitation, half as long because its link is passed on by hand.
  public static var invitation: SecureToken {
    SecureToken(text: String(SecureToken().text.prefix(32)))
  }

  /// Returns whether a text can be a ``digest``.
  public static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension SecureToken {
  /// Forty random bits as eight characters that nobody confuses, for typing from a mail.
  public var shortCode: String {
    let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    return String(
      text.utf8.prefix(16).chunks(of: 2).map { pair in
        alphabet[pair.reduce(0) { $0 * 16 + ($1 < 58 ? Int($1) - 48 : Int($1) - 87) } % 32]
      })
  }
}

extension Collection {
  fileprivate func chunks(of size: Int) -> [SubSequence] {
    var chunks: [SubSequence] = []
    var rest = self[...]
    while !rest.isEmpty {
      chunks.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return chunks
  }
}
