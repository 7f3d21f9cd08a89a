@preconcurrency import Glibc

extension SharedFiles {
  /// The files of the machine, readable by their owner only (mode 0600).
  public static let live = live { _ in }

  /// A point in replacing a file, at which a test lets it fail or the program die.
  package enum Step: Equatable, Sendable {
    /// The new file is there, with what a crash may have left in it.
    case opened
    /// So many bytes are in the new file.
    case wrote(Int)
    /// The new file is on the disk.
    case synced
    /// The new file is in the place of the old.
    case renamed
  }

  /// The files of the machine.
  ///
  /// - Parameter step: Called at each point of replacing a file; what it throws ends it there.
  package static func live(step: @escaping @Sendable (Step) throws -> Void) -> Self {
    Self(
      read: readFile,
      replace: { try replaceFile($0, $1, step) },
      rename: { path, newPath in
        guard Glibc.rename(path, newPath) == 0 else { throw SharedFileError(path) }
        syncFolder(of: path)
      },
      watch: { FileWatcher.shared?.watch($0, $1) })
  }

  private static func readFile(_ path: String) throws -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 {
      if errno == ENOENT { return nil }
      throw SharedFileError(path)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw SharedFileError(path)
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static func replaceFile(
    _ path: String, _ bytes: [UInt8], _ step: (Step) throws -> Void
  ) throws {
    let temporary = path + ".new"
    let file = try openLocked(temporary)
    // The lock goes with the file.
    defer { close(file) }
    // A file that was left by a crash keeps the mode and the bytes that it had.
    guard fchmod(file, 0o600) == 0 else { throw SharedFileError(temporary) }
    try step(.opened)
    guard ftruncate(file, 0) == 0 else { throw SharedFileError(temporary) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(file, $0.baseAddress! + written, min(bytes.count - written, 65_536))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw SharedFileError(temporary)
      }
      written += count
      try step(.wrote(written))
    }
    guard fsync(file) == 0 else { throw SharedFileError(temporary) }
    try step(.synced)
    guard Glibc.rename(temporary, path) == 0 else { throw SharedFileError(path) }
    try step(.renamed)
    syncFolder(of: path)
  }

  /// Opens the file that is going to replace another, for one writer at a time.
  private static func openLocked(_ path: String) throws -> Int32 {
    while true {
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw SharedFileError(path) }
      while flock(file, LOCK_EX) != 0 {
        guard errno == EINTR else {
          defer { close(file) }
          throw SharedFileError(path)
        }
      }
      // Who had the lock before has put the file in its place: then this is not the new one.
      var locked = stat()
      var named = stat()
      if fstat(file, &locked) == 0, stat(path, &named) == 0, locked.st_ino == named.st_ino {
        return file
      }
      close(file)
    }
  }

  /// Makes a new name last through a loss of power. That it may fail is no loss of data.
  private static func syncFolder(of path: String) {
    let file = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = fsync(file)
    close(file)
  }

  /// The folder of a file, with `/` at its end.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }
}

extension SharedFileError {
  /// The error of the last system call.
  fileprivate init(_ path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }
}
