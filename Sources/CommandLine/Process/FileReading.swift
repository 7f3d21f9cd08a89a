import Glibc

/// Returns the bytes of a file, at most one more than `limit`, so that the caller notices a larger
/// file; `nil` if there is no such file.
func bytesOfFile(at path: String, limit: Int) throws(FileError) -> [UInt8]? {
  // O_NONBLOCK: a named pipe at this path must not block the program.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else {
    if errno == ENOENT || errno == ENOTDIR { return nil }
    throw FileError(reason: systemReason())
  }
  defer { close(descriptor) }
  var bytes = [UInt8](repeating: 0, count: limit + 1)
  var count = 0
  while count < bytes.count {
    let taken = bytes.withUnsafeMutableBytes {
      read(descriptor, $0.baseAddress! + count, $0.count - count)
    }
    if taken < 0, errno == EINTR { continue }
    guard taken >= 0 else { throw FileError(reason: systemReason()) }
    if taken == 0 { break }
    count += taken
  }
  return Array(bytes[..<count])
}
