import Clients
import FoundationEssentials
import Glibc

/// A file by its path.
struct LocalFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// All bytes of an ordinary file.
  func contents(limit: Int) throws(LocalFileError) -> Data {
    // O_NONBLOCK: a named pipe in the file's place may not hold the program up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { throw .notFound(path: path) }
      throw unreadable
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw unreadable }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw .cannotRead(path: path, reason: "it isn't a regular file")
    }
    guard information.st_size <= limit else { throw .tooLarge(path: path) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable }
      guard count > 0 else { return data }
      data += buffer[..<count]
      // It may have grown since.
      guard data.count <= limit else { throw .tooLarge(path: path) }
    }
  }

  /// Whether something has this name, be it a link to nowhere.
  var exists: Bool {
    var information = stat()
    return lstat(path, &information) == 0
  }

  func delete() throws(LocalFileError) {
    guard unlink(path) == 0 else {
      if errno == ENOENT { throw .notFound(path: path) }
      throw unwritable
    }
  }

  /// Gives the file another name on the same disk; nothing that is there is replaced.
  func move(to other: LocalFile) throws(LocalFileError) {
    // Renaming would replace; a second name for the file is refused where there is a first.
    if link(path, other.path) == 0 {
      unlink(path)
      return
    }
    switch errno {
    case EEXIST: throw .exists(path: other.path)
    case ENOENT where !exists: throw .notFound(path: path)
    // File systems without links, as on memory sticks.
    case EPERM, EOPNOTSUPP, EMLINK:
      guard !other.exists else { throw .exists(path: other.path) }
      guard rename(path, other.path) == 0 else { throw other.unwritable }
    default: throw other.unwritable
    }
  }

  private var unreadable: LocalFileError { .cannotRead(path: path, reason: Self.reason) }
  var unwritable: LocalFileError { .cannotWrite(path: path, reason: Self.reason) }
  private static var reason: String { String(cString: strerror(errno)) }
}
