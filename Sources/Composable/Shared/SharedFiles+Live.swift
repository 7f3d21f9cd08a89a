@preconcurrency import Glibc

extension SharedFiles {
  /// The files of the machine. Files written are readable only by their owner (mode 0600).
  public static let live = live { _ in }

  /// A step of replacing a file, at which a test can inject a failure or a crash.
  package enum Step: Equatable, Sendable {
    /// The new file is open. It can still contain bytes left by a crash.
    case opened
    /// The given number of bytes has been written to the new file.
    case wrote(Int)
    /// The new file is synced to disk.
    case synced
    /// The new file has replaced the old one.
    case renamed
  }

  /// Returns access to the files of the machine.
  ///
  /// - Parameter step: Called at each step of replacing a file. An error that it throws stops the
  ///   replacement there.
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
    // Closing the file also releases its lock.
    defer { close(file) }
    // A file left by a crash keeps its mode, so set it again.
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

  /// Opens and locks the temporary file that will replace another, for one writer at a time.
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
      // The previous holder of the lock may have renamed the file into place. Then it is no longer
      // the temporary file, so try again.
      var locked = stat()
      var named = stat()
      if fstat(file, &locked) == 0, stat(path, &named) == 0, locked.st_ino == named.st_ino {
        return file
      }
      close(file)
    }
  }

  /// Makes a rename survive a power loss. Failures are ignored, because no data is lost.
  private static func syncFolder(of path: String) {
    let file = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = fsync(file)
    close(file)
  }

  /// Returns the folder of a file, with a trailing `/`.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }
}

extension SharedFileError {
  /// Creates an error from `errno`.
  fileprivate init(_ path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }
}
