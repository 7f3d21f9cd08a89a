import CSodium

/// Digests of data that isn't secret.
public enum Digest {
  /// Returns the SHA-256 (FIPS 180-4) in hexadecimal digits.
  public static func sha256(_ bytes: some Sequence<UInt8>) -> String {
    precondition(Sodium.isReady)
    let bytes = Array(bytes)
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest.hexadecimal
  }
}
