@preconcurrency import Glibc
import Synchronization

/// The files in which shared values are kept.
public struct SharedFiles: Sendable {
  /// The bytes of a file, or `nil` if there is none.
  public var read: @Sendable (_ path: String) throws -> [UInt8]?
  /// Puts bytes in the place of a file, all or none.
  public var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void
  /// Gives a file another name.
  public var rename: @Sendable (_ path: String, _ newPath: String) throws -> Void

  /// Makes access to files.
  public init(
    read: @escaping @Sendable (_ path: String) throws -> [UInt8]?,
    replace: @escaping @Sendable (_ path: String, _ bytes: [UInt8]) throws -> Void,
    rename: @escaping @Sendable (_ path: String, _ newPath: String) throws -> Void
  ) {
    self.read = read
    self.replace = replace
    self.rename = rename
  }

  /// Files in memory, for tests and previews.
  public static func inMemory(_ files: [String: [UInt8]] = [:]) -> Self {
    let memory = FilesInMemory(files)
    return Self(
      read: { path in memory.contents.withLock { $0[path] } },
      replace: { path, bytes in memory.contents.withLock { $0[path] = bytes } },
      rename: { path, newPath in
        memory.contents.withLock { $0[newPath] = $0.removeValue(forKey: path) }
      })
  }

  /// The files of the machine, readable by their owner only (mode 0600).
  public static let live = Self(
    read: { path in
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
    },
    replace: { path, bytes in
      let temporary = path + ".new"
      let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw SharedFileError(temporary) }
      do {
        defer { close(file) }
        // A file that was left by a crash keeps the mode that it had.
        guard fchmod(file, 0o600) == 0 else { throw SharedFileError(temporary) }
        var written = 0
        while written < bytes.count {
          let count = bytes.withUnsafeBytes {
            write(file, $0.baseAddress! + written, bytes.count - written)
          }
          if count < 0 {
            if errno == EINTR { continue }
            throw SharedFileError(temporary)
          }
          written += count
        }
        guard fsync(file) == 0 else { throw SharedFileError(temporary) }
      }
      guard Glibc.rename(temporary, path) == 0 else { throw SharedFileError(path) }
      syncFolder(of: path)
    },
    rename: { path, newPath in
      guard Glibc.rename(path, newPath) == 0 else { throw SharedFileError(path) }
      syncFolder(of: path)
    })

  /// Makes a new name last through a loss of power. That it may fail is no loss of data.
  private static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = fsync(file)
    close(file)
  }
}

/// Why a file of a shared value could not be used.
public struct SharedFileError: Error, Equatable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What is wrong.
  public var reason: String

  /// Makes an error.
  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// The error of the last system call.
  init(_ path: String) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }

  /// The file, and what is wrong.
  public var description: String { "\(path): \(reason)" }
}

private final class FilesInMemory: Sendable {
  let contents: Mutex<[String: [UInt8]]>

  init(_ files: [String: [UInt8]]) { contents = Mutex(files) }
}

extension DependencyValues {
  /// The files in which shared values are kept. In tests and previews they are in memory.
  public var sharedFiles: SharedFiles {
    get { self[SharedFilesKey.self] }
    set { self[SharedFilesKey.self] = newValue }
  }

  private enum SharedFilesKey: DependencyKey {
    static let liveValue = SharedFiles.live
    static var previewValue: SharedFiles { .inMemory() }
    static var testValue: SharedFiles { .inMemory() }
  }
}
