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

/// Closes the files that are open, except the standard ones, in the programs that this process
/// starts from now on.
func keepFilesFromPrograms() {
  // Swift doesn't import glibc's `closefrom` and `close_range`.
  guard let folder = opendir("/proc/self/fd") else { return }
  defer { closedir(folder) }
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    guard let file = Int32(name), file > STDERR_FILENO else { continue }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  }
}
