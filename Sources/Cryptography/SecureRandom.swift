import CSodium

/// Random bytes that nobody can guess.
public enum SecureRandom {
  public static func bytes(_ count: Int) -> [UInt8] {
    precondition(Sodium.isReady)
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }
}
