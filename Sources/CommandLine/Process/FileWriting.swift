import Glibc

/// Replaces a file so that a crash leaves either the old or the new one.
/// - Parameter mode: The permissions of a new file, subject to the umask; by default only for its
///   owner.
func replaceFile(
  at path: String, with bytes: [UInt8], mode: mode_t = 0o600
) throws(FileError) {
  let temporary = path + ".new"
  let descriptor = open(
    temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
  guard descriptor >= 0 else { throw FileError(reason: systemReason()) }
  defer { close(descriptor) }
  do throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(reason: systemReason()) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
      throw FileError(reason: systemReason())
    }
  } catch {
    unlink(temporary)
    throw error
  }
}
