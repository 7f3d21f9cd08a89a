import Clients
import Domain
import FoundationEssentials
import Synchronization

/// A document or a picture with its bytes.
struct StoredFile: Sendable {
  let id: UUID
  var name: String
  var contentType: ContentType
  /// `nil` for a picture.
  var access: EmergencyDocument.Access?
  var addedAt: Date
  var data: Data

  /// The file as a document, or `nil` for a picture.
  var document: EmergencyDocument? {
    access.map {
      EmergencyDocument(
        id: id, name: name, contentType: contentType, size: data.count, access: $0,
        addedAt: addedAt)
    }
  }
}

extension InMemoryPlatform {
  var documentsClient: DocumentsClient {
    DocumentsClient {
      $0.documents = { [store] () async throws(FileStorageError) in
        try store.read { contents throws(FileStorageError) in
          try contents.account(or: FileStorageError.notAuthenticated).emergencyDocuments
        }
      }
      $0.documentsOf = { [store] (contact: Contact.ID) async throws(FileStorageError) in
        try store.read { contents throws(FileStorageError) in
          try contents.documents(of: contact)
        }
      }
      $0.rename = { [store] (id: UUID, name: String) async throws(FileStorageError) in
        try store.renameDocument(id, name)
      }
      $0.setAccess = {
        [store] (id: UUID, access: EmergencyDocument.Access) async throws(FileStorageError) in
        try store.changeDocument(id) { file, _ in file.access = access }
      }
      $0.observe = { [store] in
        store.observe { try $0.account(or: FileStorageError.notAuthenticated).emergencyDocuments }
      }
      $0.observeOf = { [store] contact in store.observe { try $0.documents(of: contact) } }
    }
  }

  var fileStorageClient: FileStorageClient {
    FileStorageClient {
      $0.upload = { [store] data, metadata in
        let upload = Upload(data, metadata)
        return AsyncStream { store.advance(upload) }
      }
      $0.url = { [store] (id: UUID) async throws(FileStorageError) in
        try store.read { contents throws(FileStorageError) in
          StoredFileURL(try contents.readableFile(id).id)
        }
      }
      $0.read = {
        [store] (url: StoredFileURL, offset: Int, count: Int) async throws(FileStorageError) in
        try store.read { contents throws(FileStorageError) in
          let data = try contents.readableFile(url.id).data
          guard (0..<data.count).contains(offset), count > 0 else { return Data() }
          return Data(data.dropFirst(offset).prefix(count))
        }
      }
      $0.delete = { [store] (id: UUID) async throws(FileStorageError) in
        try store.deleteDocument(id)
      }
    }
  }

  var userProfileClient: UserProfileClient {
    UserProfileClient {
      $0.update = { [store] (name: String, change: PictureChange) async throws(UserProfileError) in
        try store.updateProfile(name, change)
      }
    }
  }
}

/// A document on its way into the store.
private final class Upload: Sendable {
  let data: Data
  let metadata: StorageMetadata
  enum Stage {
    case waiting
    case writing(account: User.ID, written: Int)
    case over
  }
  let stage = Mutex(Stage.waiting)

  init(_ data: Data, _ metadata: StorageMetadata) {
    self.data = data
    self.metadata = metadata
  }
}

extension InMemoryStore {
  /// Takes the next step of storing a document.
  fileprivate func advance(_ upload: Upload) -> UploadEvent? {
    do throws(FileStorageError) {
      switch upload.stage.withLock({ $0 }) {
      case .waiting:
        let account = try read { contents throws(FileStorageError) in
          try contents.accountWithRoom(for: upload.data)
        }
        upload.stage.withLock { $0 = .writing(account: account, written: 0) }
        return .progress(percent: 0)
      case .writing(let account, let written) where written < upload.data.count:
        let end = min(written + FileStorageClient.partSize, upload.data.count)
        upload.stage.withLock { $0 = .writing(account: account, written: end) }
        return .progress(percent: 100 * end / upload.data.count)
      case .writing(let account, _):
        upload.stage.withLock { $0 = .over }
        return .completed(try keep(upload, account: account))
      case .over:
        return nil
      }
    } catch {
      upload.stage.withLock { $0 = .over }
      return .failed(error)
    }
  }

  private func keep(
    _ upload: Upload, account id: User.ID
  ) throws(FileStorageError) -> EmergencyDocument {
    try write(.other) { contents throws(FileStorageError) in
      guard try contents.accountWithRoom(for: upload.data) == id,
        let others = contents.accounts[id]?.emergencyDocuments
      else { throw .notAuthenticated }
      let name = DocumentRules.freeName(
        FileName.cleaned(upload.metadata.name), besides: others.map(\.name))
      let file = StoredFile(
        id: makeUUID(), name: name, contentType: upload.metadata.contentType,
        access: upload.metadata.access, addedAt: now(), data: upload.data)
      contents.accounts[id]?.files.append(file)
      contents.accounts[id]?.revision += 1
      return EmergencyDocument(
        id: file.id, name: name, contentType: file.contentType, size: file.data.count,
        access: upload.metadata.access, addedAt: file.addedAt)
    }
  }

  fileprivate func renameDocument(
    _ id: EmergencyDocument.ID, _ name: String
  ) throws(FileStorageError) -> EmergencyDocument {
    let name = try checking { () throws(ValidationError) in try DocumentRules.name(name) }
    return try changeDocument(id) { file, others throws(FileStorageError) in
      if let taken = others.first(where: { $0.name.lowercased() == name.lowercased() }) {
        throw .invalid(.documentNameTaken(taken.name))
      }
      file.name = name
    }
  }

  fileprivate func changeDocument(
    _ id: EmergencyDocument.ID,
    _ change: (inout StoredFile, _ others: [EmergencyDocument]) throws(FileStorageError) -> Void
  ) throws(FileStorageError) -> EmergencyDocument {
    try write(.other) { contents throws(FileStorageError) in
      var account = try contents.account(or: FileStorageError.notAuthenticated)
      guard let index = account.files.firstIndex(where: { $0.id == id }) else { throw .notFound }
      try change(&account.files[index], account.emergencyDocuments.filter { $0.id != id })
      account.revision += 1
      contents.accounts[account.user.id] = account
      guard let document = account.files[index].document else { throw .notFound }
      return document
    }
  }

  fileprivate func deleteDocument(_ id: EmergencyDocument.ID) throws(FileStorageError) {
    try write(.other) { contents throws(FileStorageError) in
      var account = try contents.account(or: FileStorageError.notAuthenticated)
      guard account.emergencyDocuments.contains(where: { $0.id == id }) else { throw .notFound }
      account.files.removeAll { $0.id == id }
      account.revision += 1
      contents.accounts[account.user.id] = account
    }
  }

  fileprivate func updateProfile(
    _ name: String, _ change: PictureChange
  ) throws(UserProfileError) -> User {
    do { _ = try change.checked() } catch { throw .file(.invalid(error)) }
    let name = try checkedName(name)
    return try write { contents throws(UserProfileError) in
      var account = try contents.account(or: UserProfileError.user(.notAuthenticated))
      account.user.profile.name = name
      if change != .keep {
        account.files.removeAll { $0.access == nil }
        account.user.picture = nil
      }
      if case .set(let data) = change {
        let picture = StoredFile(
          id: makeUUID(), name: "picture", contentType: ContentType(of: data), addedAt: now(),
          data: data)
        account.files.append(picture)
        account.user.picture = picture.id
      }
      account.touch()
      contents.accounts[account.user.id] = account
      // What reaches a responder has changed.
      for peer in contents.relations.compactMap({ $0.side(of: account.user.id)?.peer }) {
        contents.accounts[peer]?.touch()
      }
      return account.user
    }
  }

  private func checkedName(_ name: String) throws(UserProfileError) -> String {
    do { return try ProfileRules.name(name) } catch { throw .user(.invalid(error)) }
  }
}

extension InMemoryStore.Contents {
  /// The signed-in account, if it may have one document more.
  fileprivate func accountWithRoom(for data: Data) throws(FileStorageError) -> User.ID {
    let account = try account(or: FileStorageError.notAuthenticated)
    try checking { () throws(ValidationError) in
      try DocumentRules.checkSize(data.count)
      try DocumentRules.checkCount(account.emergencyDocuments.count)
    }
    return account.user.id
  }

  /// The documents of the other side of an active relation, for whoever responds for them.
  fileprivate func documents(
    of contact: Contact.ID
  ) throws(FileStorageError) -> [EmergencyDocument] {
    let own = try account(or: FileStorageError.notAuthenticated).user.id
    guard let side = relations.first(where: { $0.id == contact })?.side(of: own),
      side.state == .active, side.roles.contains(.dependent), let peer = accounts[side.peer]
    else { throw .notFound }
    return peer.emergencyDocuments
  }

  /// A file that the signed-in person may read now.
  fileprivate func readableFile(_ id: UUID) throws(FileStorageError) -> StoredFile {
    let own = try account(or: FileStorageError.notAuthenticated).user.id
    for owner in accounts.values {
      guard let file = owner.files.first(where: { $0.id == id }) else { continue }
      if owner.user.id == own { return file }
      let side = relations.lazy.filter { $0.isBetween(own, owner.user.id) }
        .compactMap { $0.side(of: own) }.first
      guard let side, side.state == .active else { throw .notFound }
      guard let access = file.access else { return file }
      guard side.roles.contains(.dependent) else { throw .notFound }
      guard access.isOpen(isAlertOn: !owner.activeAlerts.isEmpty) else { throw .closed }
      return file
    }
    throw .notFound
  }
}

extension Account {
  /// Emergency documents by name.
  var emergencyDocuments: [EmergencyDocument] {
    files.compactMap(\.document)
      .sorted { ($0.name, $0.id.uuidString) < ($1.name, $1.id.uuidString) }
  }
}

private func checking<Value>(
  _ rule: () throws(ValidationError) -> Value
) throws(FileStorageError) -> Value {
  do { return try rule() } catch { throw .invalid(error) }
}
