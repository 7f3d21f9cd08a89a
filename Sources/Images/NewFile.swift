import Clients
import Glibc

/// A file to create, which never replaces another.
struct NewFile {
  let path: String

  init(_ path: String) { self.path = path }

  func write(_ bytes: [UInt8]) throws(QRCodeError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw errno == EEXIST ? .exists(path: path) : failure
    }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else {
        let error = failure
        unlink(path)
        throw error
      }
      rest = rest.dropFirst(written)
    }
  }

  private var failure: QRCodeError {
    .cannotWrite(path: path, reason: String(cString: strerror(errno)))
  }
}
