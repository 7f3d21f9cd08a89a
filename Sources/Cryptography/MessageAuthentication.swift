import CSodium

/// HMAC-SHA256 (RFC 2104), which proves that the sender of a message knows the key.
public enum MessageAuthentication {
  /// Returns the code for a message.
  /// - Parameter key: A key of any length.
  /// - Returns: 32 bytes.
  public static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
    precondition(Sodium.isReady)
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &code)
    sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    return code
  }
}
