import Clients
import Domain
import FoundationEssentials
import Glibc
import Store

/// The folder beside the database with the bytes of files, each under its identifier.
///
/// Only a row in the database says that a file exists. A file without one is the leftover of a
/// crash, and is deleted.
struct FileFolder: Sendable {
  let path: String

  private func path(_ id: UUID) -> String { path + "/" + id.uuidString.lowercased() }

  /// Begins a file, under a temporary name.
  func begin(_ id: UUID) throws(StorageError) -> any BlobWriter {
    try PrivateFiles.makeFolder(path)
    return try PartFile(path: path(id))
  }

  func read(_ id: UUID, size: Int, _ range: Range<Int>) throws(ClientError) -> Data {
    let descriptor = open(path(id), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP { throw .fileDamaged }
      throw .storage(PrivateFiles.failure("a stored file could not be opened"))
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      Int(information.st_size) == size
    else { throw .fileDamaged }
    var data = Data(count: range.count)
    var filled = 0
    while filled < data.count {
      let taken = data.withUnsafeMutableBytes { bytes in
        pread(
          descriptor, bytes.baseAddress! + filled, bytes.count - filled,
          off_t(range.lowerBound + filled))
      }
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else {
        throw .storage(PrivateFiles.failure("a stored file could not be read"))
      }
      guard taken > 0 else { throw .fileDamaged }
      filled += taken
    }
    return data
  }

  /// Deletes the bytes of files whose rows are gone. What can't be deleted now is deleted when the
  /// store is next opened.
  func delete(_ ids: [UUID]) {
    for id in ids { unlink(path(id)) }
    try? PrivateFiles.synchronize(folderOf: path + "/")
  }

  /// Deletes the leftovers of crashes: files without a row, and parts that nobody writes any more.
  ///
  /// A file gets its name within a transaction that writes, so that within another one each file
  /// either has its row or never gets one. Nothing here must keep the store from opening.
  func sweep(_ database: Database) {
    guard let names = try? PrivateFiles.names(in: path), !names.isEmpty else { return }
    for name in names where name.hasSuffix(PartFile.suffix) {
      PartFile.removeIfAbandoned(path + "/" + name)
    }
    let files = names.compactMap { UUID(uuidString: $0) }
    guard let known = try? Self.known(database), !known.isSuperset(of: files) else { return }
    try? database.transaction(.serializable) {
      let known = try Self.known(database)
      delete(files.filter { !known.contains($0) })
    }
  }

  /// Returns the files that have rows.
  static func known(_ database: Database) throws(StorageError) -> Set<UUID> {
    Set(try database.column(UUID.self, "SELECT id FROM file"))
  }

  /// Links files from other folders, which keep theirs: a file never changes under its identifier.
  /// One that is in none of them stays missing.
  func link(_ ids: Set<UUID>, from others: [FileFolder]) throws(StorageError) {
    guard !ids.isEmpty, !others.isEmpty else { return }
    try PrivateFiles.makeFolder(path)
    for id in ids {
      _ = others.first { Glibc.link($0.path(id), path(id)) == 0 }
    }
    try PrivateFiles.synchronize(folderOf: path + "/")
  }
}
