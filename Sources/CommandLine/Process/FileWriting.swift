import Glibc

/// Writes a whole file so that a crash leaves the old one or the new one.
/// - Parameter mode: Who may do what with a new file, as far as the umask lets them; nobody but its
///   owner unless it says otherwise.
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
