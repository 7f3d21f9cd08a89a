import Clients
import Domain
import FoundationEssentials
import Synchronization

extension ContentType: SQLBindable, SQLReadable {}
extension EmergencyDocument.Access: SQLBindable, SQLReadable {}

extension EmergencyDocument {
  /// The columns that ``init(reading:)`` reads, in its order.
  fileprivate static let columns = "id, name, content_type, size, access, added_at"

  fileprivate init(reading row: inout RowReader) throws(StorageError) {
    self.init(
      id: try row.read(), name: try row.read(), contentType: try row.read(),
      size: try row.read(), access: try row.read(), addedAt: try row.read())
  }
}

/// A document on its way into the store. What was written of it is deleted with it, unless it is
/// kept.
final class Upload: Sendable {
  let data: Data
  let metadata: StorageMetadata
  fileprivate enum Stage {
    case waiting
    case writing(any BlobWriter, EmergencyDocument.ID, account: Int, written: Int)
    case over
  }
  fileprivate let stage = Mutex(Stage.waiting)

  init(_ data: Data, _ metadata: StorageMetadata) {
    self.data = data
    self.metadata = metadata
  }
}

extension Store {
  // MARK: Adding

  /// Takes the next step of storing a document.
  func advance(_ upload: Upload) -> UploadEvent? {
    do throws(ClientError) {
      switch upload.stage.withLock({ $0 }) {
      case .waiting:
        let account = try read {
          try DocumentRules.checkSize(upload.data.count)
          let key = try requireCurrentKey()
          try DocumentRules.checkCount(documents(of: key).count)
          return key
        }
        let id = makeUUID()
        let file = try begin(id)
        upload.stage.withLock { $0 = .writing(file, id, account: account, written: 0) }
        return .progress(percent: 0)
      case .writing(let file, let id, let account, let written)
      where written < upload.data.count:
        let end = min(written + FileStorageClient.partSize, upload.data.count)
        let part = upload.data.dropFirst(written).prefix(end - written)
        do { try file.append(part) } catch { throw .storage(error) }
        upload.stage.withLock { $0 = .writing(file, id, account: account, written: end) }
        return .progress(percent: 100 * end / upload.data.count)
      case .writing(let file, let id, let account, _):
        upload.stage.withLock { $0 = .over }
        return .completed(try keep(file, id, account: account, upload))
      case .over:
        return nil
      }
    } catch {
      upload.stage.withLock { $0 = .over }
      return .failed(error)
    }
  }

  private func begin(_ id: UUID) throws(ClientError) -> any BlobWriter {
    do { return try blobs.begin(id) } catch { throw .storage(error) }
  }

  private func keep(
    _ file: any BlobWriter, _ id: UUID, account: Int, _ upload: Upload
  ) throws(ClientError) -> EmergencyDocument {
    do { try file.synchronize() } catch { throw .storage(error) }
    return try write(.other) { key in
      guard key == account else { throw NoAccount() }
      let others = try documents(of: key)
      // Others may have been added in the meantime.
      try DocumentRules.checkCount(others.count)
      let name = DocumentRules.freeName(
        FileName.cleaned(upload.metadata.name), besides: others.map(\.name))
      let document = EmergencyDocument(
        id: id, name: name, contentType: upload.metadata.contentType, size: upload.data.count,
        access: upload.metadata.access, addedAt: now().stored)
      try insertFile(
        id, account: key, name: name, document.contentType, size: document.size,
        access: document.access.rawValue, at: document.addedAt)
      try noteFiles(of: key)
      try file.takeName()
      return document
    }
  }

  private func insertFile(
    _ id: UUID, account: Int, name: String, _ type: ContentType, size: Int, access: String,
    at date: Date
  ) throws(StorageError) {
    try database.run(
      """
      INSERT INTO file (account, id, name, content_type, size, access, added_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """, account, id, name, type, size, access, date)
  }

  /// Notes a change of an account's files for everyone who can see them; the monitor has no use for
  /// it.
  private func noteFiles(of key: Int) throws(StorageError) {
    try noteChange(of: key)
    try noteChange(forPeersOf: key)
  }

  // MARK: Documents

  func documents() throws(ClientError) -> [EmergencyDocument] {
    try read { try documents(of: requireCurrentKey()) }
  }

  /// Returns the documents of the other side of an active relation that the signed-in account
  /// responds for.
  func documents(of contact: Contact.ID) throws(ClientError) -> [EmergencyDocument] {
    try read {
      let side = try relation(
        contact, of: requireCurrentKey(), or: ClientError.fileNotFound)
      guard side.state == .active, side.roles.contains(.dependent) else {
        throw ClientError.fileNotFound
      }
      return try documents(of: side.peer)
    }
  }

  func documents(of key: Int) throws(StorageError) -> [EmergencyDocument] {
    try database.rows(
      """
      SELECT \(EmergencyDocument.columns) FROM file
      WHERE account = ?1 AND access <> 'picture' ORDER BY name, id
      """, key, read: EmergencyDocument.init(reading:))
  }

  func renameDocument(
    _ id: EmergencyDocument.ID, _ name: String
  ) throws(ClientError) -> EmergencyDocument {
    try changeDocument(id) { document, others in
      document.name = try DocumentRules.name(name)
      let taken = others.first { $0.name.lowercased() == document.name.lowercased() }
      if let taken { throw ValidationError.documentNameTaken(taken.name) }
    }
  }

  func setAccess(
    _ id: EmergencyDocument.ID, _ access: EmergencyDocument.Access
  ) throws(ClientError) -> EmergencyDocument {
    try changeDocument(id) { document, _ in document.access = access }
  }

  private func changeDocument(
    _ id: EmergencyDocument.ID,
    _ change: (inout EmergencyDocument, _ others: [EmergencyDocument]) throws -> Void
  ) throws(ClientError) -> EmergencyDocument {
    try write(.other) { key in
      let documents = try documents(of: key)
      guard var document = documents.first(where: { $0.id == id }) else {
        throw ClientError.fileNotFound
      }
      try change(&document, documents.filter { $0.id != id })
      try database.run(
        "UPDATE file SET name = ?2, access = ?3 WHERE id = ?1", id, document.name, document.access)
      try noteFiles(of: key)
      return document
    }
  }

  func deleteDocument(_ id: EmergencyDocument.ID) throws(ClientError) {
    try write(.other) { key in
      let deleted = try database.rowsChanged(
        by: "DELETE FROM file WHERE id = ?1 AND account = ?2 AND access <> 'picture'", id, key)
      guard deleted == 1 else { throw ClientError.fileNotFound }
      try noteFiles(of: key)
    }
    blobs.delete([id])
  }

  /// Returns every file of an account, pictures included.
  func fileIDs(of key: Int) throws(StorageError) -> [UUID] {
    try database.rows("SELECT id FROM file WHERE account = ?1", key) { row throws(StorageError) in
      try row.read()
    }
  }

  // MARK: Reading

  func fileURL(_ id: UUID) throws(ClientError) -> StoredFileURL {
    try read { _ = try readableSize(id) }
    return StoredFileURL(id)
  }

  func readFile(
    _ id: UUID, offset: Int, count: Int
  ) throws(ClientError) -> Data {
    let size = try read { try readableSize(id) }
    // Both numbers come from the caller. No file has a part that begins outside of it.
    let isInside = (0..<size).contains(offset)
    let range = isInside ? offset..<offset + min(max(0, count), size - offset) : 0..<0
    return try blobs.read(id, size: size, range)
  }

  /// Returns the size of a file that the signed-in person can read now.
  private func readableSize(_ id: UUID) throws -> Int {
    let key = try requireCurrentKey()
    let found = try database.row(
      """
      SELECT file.size, file.access, file.account = ?2,
        EXISTS (SELECT 1 FROM relation WHERE state = 'active'
          AND (requester = file.account AND addressee = ?2
            OR addressee = file.account AND requester = ?2)),
        EXISTS (SELECT 1 FROM relation WHERE state = 'active'
          AND (requester = file.account AND addressee = ?2 AND roles & 1 <> 0
            OR addressee = file.account AND requester = ?2 AND roles & 2 <> 0)),
        EXISTS (SELECT 1 FROM alert
          WHERE alert.account = file.account AND resolved_at IS NULL AND kind <> 'drill')
      FROM file WHERE file.id = ?1
      """, id, key
    ) { row throws(StorageError) in
      (
        size: try row.read(Int.self), access: try row.read(String.self),
        isOwn: try row.read(Bool.self), isRelated: try row.read(Bool.self),
        isResponder: try row.read(Bool.self), isAlertOn: try row.read(Bool.self)
      )
    }
    guard let found else { throw ClientError.fileNotFound }
    if found.isOwn { return found.size }
    guard let access = EmergencyDocument.Access(rawValue: found.access) else {
      guard found.isRelated else { throw ClientError.fileNotFound }
      return found.size
    }
    guard found.isResponder else { throw ClientError.fileNotFound }
    guard access.isOpen(isAlertOn: found.isAlertOn) else { throw ClientError.fileClosed }
    return found.size
  }

  // MARK: Name and picture

  func updateProfile(
    name: String, _ change: PictureChange
  ) throws(ClientError) -> User {
    var picture: (id: UUID, file: any BlobWriter, data: Data)?
    do throws(ClientError) {
      if case .set(let data) = try checked(change) {
        let id = makeUUID()
        let file = try begin(id)
        do throws(StorageError) {
          try file.append(data)
          try file.synchronize()
        } catch {
          throw .storage(error)
        }
        picture = (id, file, data)
      }
    } catch {
      throw error
    }
    var replaced: [UUID] = []
    let user: User
    do throws(ClientError) {
      user = try write { key in
        let name = try ProfileRules.name(name)
        try database.run("UPDATE account SET name = ?2 WHERE key = ?1", key, name)
        if change != .keep { replaced = try setPicture(picture?.id, of: key) }
        if let (id, file, data) = picture {
          try insertFile(
            id, account: key, name: "picture", ContentType(of: data), size: data.count,
            access: "picture", at: now())
          try file.takeName()
        }
        try touch(key)
        try noteChange(forPeersOf: key)
        try requestAttention(forDependentsOf: key)
        return try self.user(key)
      }
    } catch {
      throw error
    }
    blobs.delete(replaced)
    return user
  }

  private func checked(_ change: PictureChange) throws(ClientError) -> PictureChange {
    do { return try change.checked() } catch { throw .invalid(error) }
  }

  /// Sets or removes the picture of an account.
  /// - Returns: The files of the pictures that it replaces.
  private func setPicture(_ id: UUID?, of key: Int) throws(StorageError) -> [UUID] {
    try database.run("UPDATE account SET picture = ?2 WHERE key = ?1", key, id)
    return try database.column(
      UUID.self, "DELETE FROM file WHERE account = ?1 AND access = 'picture' RETURNING id", key)
  }
}
