public import Composable
public import Domain
public import FoundationEssentials

/// The bytes of emergency documents and pictures, in the store.
///
/// A file never changes: what replaces one has another identity. Its owner may always read it.
/// Besides them, as long as the relation is active, those who respond for the owner may read
/// documents, each as its ``EmergencyDocument/access`` says, and either side the other's picture;
/// nobody else (DOC-1, CON-7).
public struct FileStorageClient: ClientInterface {
  /// Stores a document of the signed-in person, part by part as the elements are asked for, and ends
  /// with the document as it is stored or with why it is not. Nothing is stored when the consumer ends
  /// before.
  ///
  /// Where another document has the name, the new one gets a number.
  @TransferEndpoint("FileStorageClient.upload")
  public var upload: @Sendable (Data, StorageMetadata) -> AsyncStream<UploadEvent>
  /// Where a file is found, if the person may read it now.
  /// - Throws: ``ClientError/fileNotFound``, ``ClientError/fileClosed``.
  @Endpoint("FileStorageClient.url")
  public var url: @Sendable (UUID) async throws(ClientError) -> StoredFileURL
  /// Part of a file, shorter at its end and empty beyond it. Whether the person may read it is judged
  /// for each part.
  @Endpoint("FileStorageClient.read")
  public var read:
    @Sendable (StoredFileURL, _ offset: Int, _ count: Int) async throws(ClientError) -> Data
  /// Deletes a document of the signed-in person.
  /// - Throws: ``ClientError/fileNotFound``.
  @Endpoint("FileStorageClient.delete")
  public var delete: @Sendable (EmergencyDocument.ID) async throws(ClientError) -> Void

  public init() {}

  /// How many bytes are written or read between two words about the progress.
  public static let partSize = 256 << 10
}

extension FileStorageClient {
  /// A whole file.
  public func download(_ url: StoredFileURL) async throws(ClientError) -> Data {
    var data = Data()
    while true {
      let part = try await read(url, data.count, Self.partSize)
      guard !part.isEmpty else { return data }
      data += part
    }
  }
}

/// What is said of a document that is to be stored.
public struct StorageMetadata: Equatable, Codable, Sendable {
  public var name: String
  public var contentType: ContentType
  public var access: EmergencyDocument.Access

  public init(name: String, contentType: ContentType, access: EmergencyDocument.Access) {
    self.name = name
    self.contentType = contentType
    self.access = access
  }
}

/// How far storing a file is.
public enum UploadEvent: Equatable, TransferEvent {
  /// From 0 to 100.
  case progress(percent: Int)
  case completed(EmergencyDocument)
  case failed(ClientError)

  /// Why it has failed, if it has.
  public var failure: (any AppError)? { if case .failed(let error) = self { error } else { nil } }
}

/// Where a stored file is found: `lifesignal://file/<id>`.
public struct StoredFileURL: Hashable, Sendable, CustomStringConvertible {
  public let id: UUID
  public init(_ id: UUID) { self.id = id }

  public var description: String { "lifesignal://file/" + id.uuidString.lowercased() }
}

/// Written as its identity.
extension StoredFileURL: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(UUID.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }
}

extension DependencyValues {
  public var fileStorageClient: FileStorageClient {
    get { self[FileStorageClient.self] }
    set { self[FileStorageClient.self] = newValue }
  }
}
