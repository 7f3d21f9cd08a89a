import Glibc

/// Attributes for starting a program that outlives this process's terminal: its own session,
/// default signals, and none of them blocked.
struct SpawnAttributes {
  var value = posix_spawnattr_t()

  init() {
    posix_spawnattr_init(&value)
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&value, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&value, &signals)
    posix_spawnattr_setflags(
      &value, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | Self.session)
  }

  mutating func destroy() { posix_spawnattr_destroy(&value) }

  /// `POSIX_SPAWN_SETSID`, which glibc declares in a form that Swift doesn't import.
  private static let session: Int16 = 0x80
}

/// Arguments as C's `argv`.
struct CArguments {
  private let words: [String]
  init(_ words: [String]) { self.words = words }

  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
