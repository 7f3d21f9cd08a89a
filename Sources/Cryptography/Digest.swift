import CSodium

/// Digests of what is no secret.
public enum Digest {
  /// SHA-256 (FIPS 180-4) in hexadecimal digits.
  public static func sha256(_ bytes: some Sequence<UInt8>) -> String {
    precondition(Sodium.isReady)
    let bytes = Array(bytes)
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest.hexadecimal
  }
}
