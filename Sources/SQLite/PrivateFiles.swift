import Clients
import Domain
import FoundationEssentials
import Glibc

/// Files and folders that nobody else can read or replace.
enum PrivateFiles {
  /// The kind of thing at a path, without following a symbolic link.
  enum Entry: Equatable {
    case nothing
    case file(size: Int)
    case folder
  }

  /// Creates a folder that only its owner can enter, with the missing ones above it. Throws if
  /// others can enter it, or it belongs to somebody else.
  static func makeFolder(_ path: String) throws(StorageError) {
    if try entry(path) == .nothing {
      try requireOwnPlace(for: path)
      var parent = path[...]
      while parent.last == "/" { parent.removeLast() }
      if let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
        try makeParents(String(parent[..<slash]))
      }
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw failure("the folder \(path) could not be made")
      }
    }
    guard try entry(path) == .folder else {
      throw .permissionDenied("\(path) is not a folder")
    }
  }

  /// Throws if root would create something in another user's home, as with a `sudo` that keeps
  /// `HOME`: that user could not use it afterwards.
  private static func requireOwnPlace(for path: String) throws(StorageError) {
    guard geteuid() == 0 else { return }
    var parent = path[...]
    while let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
      parent = parent[..<slash]
      var information = stat()
      guard stat(String(parent), &information) == 0, information.st_uid != 0 else { continue }
      throw .permissionDenied(
        "\(parent) belongs to another user, who could not use what root puts there; run this as that"
          + " user, or as root with root's own HOME")
    }
  }

  /// Creates the folders above ours. One that exists can be a link, or open to others: that isn't
  /// ours to judge.
  private static func makeParents(_ path: String) throws(StorageError) {
    var information = stat()
    if stat(path, &information) == 0 { return }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeParents(String(path[..<slash]))
    }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw failure("the folder \(path) could not be made")
    }
  }

  /// Returns what is at a path.
  /// - Throws: ``StorageError/permissionDenied(_:)`` for a symbolic link, for what belongs to
  ///   somebody else, and for what others can use, with the command that fixes it.
  static func entry(_ path: String) throws(StorageError) -> Entry {
    var information = stat()
    guard lstat(path, &information) == 0 else {
      if errno == ENOENT { return .nothing }
      throw failure("\(path) could not be looked at")
    }
    let kind = information.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else {
      throw .permissionDenied(
        kind == S_IFLNK
          ? "\(path) is a symbolic link, which could lead anywhere; move what it points to here"
          : "\(path) is neither a file nor a folder")
    }
    guard information.st_uid == geteuid() else {
      throw .permissionDenied("\(path) belongs to another user")
    }
    let isFolder = kind == S_IFDIR
    guard information.st_mode & 0o077 == 0 else {
      throw .permissionDenied(
        "others can \(isFolder ? "enter" : "read or write") \(path); "
          + "close it with `chmod \(isFolder ? "700" : "600") \(path.shellWord)`")
    }
    return isFolder ? .folder : .file(size: Int(information.st_size))
  }

  /// Throws if the owner of a file can't write it. SQLite would open it for reading, give the files
  /// beside it the same mode, and not notice when it can be written again.
  static func requireWritable(_ path: String) throws(StorageError) {
    var information = stat()
    guard lstat(path, &information) == 0, information.st_mode & 0o600 != 0o600 else { return }
    throw .permissionDenied("you can't write \(path); open it with `chmod 600 \(path.shellWord)`")
  }

  /// Creates an empty file that only its owner can use; leaves an existing one as it is.
  static func makeFile(_ path: String) throws(StorageError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("\(path) could not be made") }
    close(descriptor)
    try synchronize(folderOf: path)
  }

  /// Replaces a whole file, so that a crash leaves the old one or the new one.
  static func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("\(temporary) could not be made") }
    do throws(StorageError) {
      try write(bytes, to: descriptor, temporary)
      guard fsync(descriptor) == 0 else { throw failure("\(temporary) could not be kept") }
      guard rename(temporary, path) == 0 else { throw failure("\(path) could not be replaced") }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    try synchronize(folderOf: path)
  }

  /// Writes all bytes.
  /// - Parameter name: The name of the file in an error.
  static func write(
    _ bytes: some ContiguousBytes, to descriptor: Int32, _ name: String
  ) throws(StorageError) {
    let isWritten = bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard isWritten else { throw failure("\(name) could not be written") }
  }

  /// Copies a file to a new one.
  static func copy(_ path: String, to new: String) throws(StorageError) {
    let source = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard source >= 0 else { throw failure("\(path) could not be opened") }
    defer { close(source) }
    let target = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure("\(new) could not be made") }
    defer { close(target) }
    while true {
      let count = sendfile(target, source, nil, 1 << 20)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("\(new) could not be written") }
      if count == 0 { return }
    }
  }

  /// Waits up to five seconds for a lock on an open file.
  /// - Parameter kind: `LOCK_SH` or `LOCK_EX`.
  /// - Throws: ``StorageError/busy`` after that.
  static func lock(_ descriptor: Int32, _ kind: Int32) throws(StorageError) {
    for _ in 0..<250 {
      if flock(descriptor, kind | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("no lock could be taken") }
      usleep(20_000)
    }
    throw .busy
  }

  /// Returns a private file's bytes, at most 1 MiB, or `nil` if there is none.
  static func contents(of path: String) throws(StorageError) -> [UInt8]? {
    guard case .file = try entry(path) else { return nil }
    return try bytes(of: path)
  }

  /// Returns a credential from systemd, or `nil` if there is none. Its mode is up to systemd.
  static func credential(_ path: String) throws(StorageError) -> [UInt8]? {
    access(path, F_OK) == 0 ? try bytes(of: path) : nil
  }

  private static func bytes(of path: String) throws(StorageError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("\(path) could not be opened") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw failure("\(path) could not be read")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= 1 << 20 else { throw .serialization("\(path) is too large") }
    }
  }

  /// Returns the names in a folder, in no order.
  static func names(in folder: String) throws(StorageError) -> [String] {
    guard let handle = opendir(folder) else { throw failure("\(folder) could not be opened") }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes the contents of a file survive a power cut.
  static func synchronize(_ path: String) throws(StorageError) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("\(path) could not be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("\(path) could not be kept") }
  }

  /// Makes the names in a file's folder survive a power cut.
  static func synchronize(folderOf path: String) throws(StorageError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("\(folder) could not be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("\(folder) could not be kept") }
  }

  /// Returns the path without symbolic links in any of its parts.
  static func resolved(_ path: String) throws(StorageError) -> String {
    guard let resolved = realpath(path, nil) else { throw failure("\(path) could not be found") }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the error for the present `errno`.
  static func failure(_ what: String) -> StorageError {
    switch errno {
    case ENOSPC, EDQUOT: .full
    case EACCES, EPERM, EROFS, ELOOP:
      .permissionDenied("\(what): \(String(cString: strerror(errno)))")
    default: .unknown("\(what): \(String(cString: strerror(errno)))")
    }
  }
}
