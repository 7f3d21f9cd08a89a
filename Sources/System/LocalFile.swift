import Clients
import FoundationEssentials
import Glibc

/// A file at a path.
struct LocalFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Returns all bytes of a regular file.
  func contents(limit: Int) throws(LocalFileError) -> Data {
    // O_NONBLOCK: a named pipe in the file's place must not hold the program up.
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

  /// Whether something has this name, even a link to nowhere.
  var exists: Bool {
    var information = stat()
    return lstat(path, &information) == 0
  }

  /// The names in the folder, in no order; none if it can't be read.
  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = Glibc.readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the names in the folder that begin with a text, sorted; those of folders end with a
  /// slash. Names that no text field can hold are left out.
  func names(beginningWith start: String) -> [String] {
    names.filter { name in
      name.hasPrefix(start) && (start.hasPrefix(".") || !name.hasPrefix("."))
        && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        // A name that isn't UTF-8 is none that this text stands for.
        && LocalFile(path + "/" + name).exists
    }
    .map { name in
      var information = stat()
      let isFolder =
        stat(path + "/" + name, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
      return isFolder ? name + "/" : name
    }
    .sorted()
  }

  func delete() throws(LocalFileError) {
    guard unlink(path) == 0 else {
      if errno == ENOENT { throw .notFound(path: path) }
      throw unwritable
    }
  }

  /// Gives the file another name on the same disk. An existing file isn't replaced.
  func move(to other: LocalFile) throws(LocalFileError) {
    // Renaming would replace a file; a hard link fails if the name is taken.
    if link(path, other.path) == 0 {
      unlink(path)
      return
    }
    switch errno {
    case EEXIST: throw .exists(path: other.path)
    case ENOENT where !exists: throw .notFound(path: path)
    // A file system without links, as on a memory stick.
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
