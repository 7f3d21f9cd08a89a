import Clients
import Domain
import FoundationEssentials
import Glibc

/// A file that is being received under a hidden name. Unless it is kept, it is deleted with its
/// last reference.
final class IncomingFile {
  private let folder: String
  private let part: LocalFile
  private let descriptor: Int32
  private var isKept = false

  /// - Parameters:
  ///   - folder: The folder of the file, created if it is missing.
  ///   - id: The identifier in its hidden name.
  init(folder: String, id: UUID) throws(LocalFileError) {
    self.folder = folder
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw LocalFile(folder).unwritable
    }
    let name = ".lifesignal-" + id.uuidString.lowercased() + ".part"
    let part = LocalFile(folder + "/" + name)
    self.part = part
    // A leftover of a killed program; a file that is being written is locked.
    try Self.removeAbandoned(part)
    descriptor = open(part.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw part.unwritable }
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit {
    if !isKept { unlink(part.path) }
    close(descriptor)
  }

  func append(_ data: Data) throws(LocalFileError) {
    var rest = data
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw part.unwritable }
      rest = rest.dropFirst(count)
    }
  }

  /// Makes the bytes survive a power cut, and gives the file its name, with a number if that is
  /// taken.
  /// - Returns: The path.
  func keep(as name: String) throws(LocalFileError) -> String {
    guard fsync(descriptor) == 0 else { throw part.unwritable }
    for name in FileName.numbered(name) {
      let file = LocalFile(folder + "/" + name)
      do throws(LocalFileError) {
        try part.move(to: file)
        isKept = true
        return file.path
      } catch {
        guard case .exists = error else { throw error }
      }
    }
    throw part.unwritable
  }

  private static func removeAbandoned(_ part: LocalFile) throws(LocalFileError) {
    let descriptor = open(part.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .cannotWrite(path: part.path, reason: "it is being saved already")
    }
    unlink(part.path)
  }
}
