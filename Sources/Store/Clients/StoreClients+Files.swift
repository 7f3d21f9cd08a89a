import Clients
import Domain
import FoundationEssentials

extension StoreClients {
  var documentsClient: DocumentsClient {
    DocumentsClient {
      $0.documents = { [store] () async throws(ClientError) in try await store.documents() }
      $0.documentsOf = { [store] (contact: Contact.ID) async throws(ClientError) in
        try await store.documents(of: contact)
      }
      $0.rename = { [store] (id: UUID, name: String) async throws(ClientError) in
        try await store.renameDocument(id, name)
      }
      $0.setAccess = {
        [store] (id: UUID, access: EmergencyDocument.Access) async throws(ClientError) in
        try await store.setAccess(id, access)
      }
      $0.observe = { [store] in
        store.observeAccount { store throws(ClientError) in
          try store.documents()
        }
      }
      $0.observeOf = { [store] contact in
        store.observeAccount { store throws(ClientError) in
          try store.documents(of: contact)
        }
      }
    }
  }

  var fileStorageClient: FileStorageClient {
    FileStorageClient {
      $0.upload = { [store] data, metadata in
        let upload = Upload(data, metadata)
        return AsyncStream { await store.advance(upload) }
      }
      $0.url = { [store] (id: UUID) async throws(ClientError) in try await store.fileURL(id) }
      $0.read = {
        [store] (url: StoredFileURL, offset: Int, count: Int) async throws(ClientError) in
        try await store.readFile(url.id, offset: offset, count: count)
      }
      $0.delete = { [store] (id: UUID) async throws(ClientError) in
        try await store.deleteDocument(id)
      }
    }
  }

  var userProfileClient: UserProfileClient {
    UserProfileClient {
      $0.update = { [store] (name: String, change: PictureChange) async throws(ClientError) in
        try await store.updateProfile(name: name, change)
      }
    }
  }
}
