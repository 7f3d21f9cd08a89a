import Clients
import Domain
import FoundationEssentials

extension StoreClients {
  var documentsClient: DocumentsClient {
    DocumentsClient {
      $0.documents = { () async throws(ClientError) in try await store.documents() }
      $0.documentsOf = { contact async throws(ClientError) in
        try await store.documents(of: contact)
      }
      $0.rename = { id, name async throws(ClientError) in try await store.renameDocument(id, name) }
      $0.setAccess = { id, access async throws(ClientError) in
        try await store.setAccess(id, access)
      }
      $0.observe = { store.observeAccount { try $0.documents() } }
      $0.observeOf = { contact in store.observeAccount { try $0.documents(of: contact) } }
    }
  }

  var fileStorageClient: FileStorageClient {
    FileStorageClient {
      $0.upload = { [store] data, metadata in
        let upload = Upload(data, metadata)
        return AsyncStream { await store.advance(upload) }
      }
      $0.url = { id async throws(ClientError) in try await store.fileURL(id) }
      $0.read = { url, offset, count async throws(ClientError) in
        try await store.readFile(url.id, offset: offset, count: count)
      }
      $0.delete = { id async throws(ClientError) in try await store.deleteDocument(id) }
    }
  }

  var userProfileClient: UserProfileClient {
    UserProfileClient {
      $0.update = { name, change async throws(ClientError) in
        try await store.updateProfile(name: name, change)
      }
    }
  }
}
