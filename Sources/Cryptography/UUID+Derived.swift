import CSodium
public import FoundationEssentials

extension UUID {
  /// Derives an identifier from a text: the same on every machine, and another one for any other
  /// text (RFC 9562, version 8, BLAKE2b).
  public init(derivedFrom text: String) {
    precondition(Sodium.isReady)
    var digest = [UInt8](repeating: 0, count: Int(crypto_generichash_bytes_min()))
    let bytes = Array(text.utf8)
    crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    self = digest.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}
