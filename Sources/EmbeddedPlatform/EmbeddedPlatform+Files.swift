import Clients
import Domain
import FoundationEssentials

extension EmbeddedPlatform {
  var documentsClient: DocumentsClient {
    DocumentsClient(
      documents: { [store] () async throws(FileStorageError) in try await store.documents() },
      documentsOf: { [store] (contact: Contact.ID) async throws(FileStorageError) in
        try await store.documents(of: contact)
      },
      rename: { [store] (id: UUID, name: String) async throws(FileStorageError) in
        try await store.renameDocument(id, name)
      },
      setAccess: {
        [store] (id: UUID, access: EmergencyDocument.Access) async throws(FileStorageError) in
        try await store.setAccess(id, access)
      },
      observe: { [store] in
        store.observeAccount(FileStorageError.self) { store throws(FileStorageError) in
          try store.documents()
        }
      },
      observeOf: { [store] contact in
        store.observeAccount(FileStorageError.self) { store throws(FileStorageError) in
          try store.documents(of: contact)
        }
      })
  }

  var fileStorageClient: FileStorageClient {
    FileStorageClient(
      upload: { [store] data, metadata in
        let upload = Upload(data, metadata)
        return AsyncStream { await store.advance(upload) }
      },
      url: { [store] (id: UUID) async throws(FileStorageError) in try await store.fileURL(id) },
      read: {
        [store] (url: StoredFileURL, offset: Int, count: Int) async throws(FileStorageError) in
        try await store.readFile(url.id, offset: offset, count: count)
      },
      delete: { [store] (id: UUID) async throws(FileStorageError) in
        try await store.deleteDocument(id)
      })
  }

  var userProfileClient: UserProfileClient {
    UserProfileClient(
      update: { [store] (name: String, change: PictureChange) async throws(UserProfileError) in
        try await store.updateProfile(name: name, change)
      })
  }
}
