public import Composable
public import Domain
public import FoundationEssentials

/// The contents of emergency documents and pictures, in the store.
///
/// A file never changes: its replacement has another identity. Its owner can always read it. As
/// long as a relation is active, the owner's responders can read documents, each as its
/// ``EmergencyDocument/access`` says, and each side can read the other's picture. Nobody else can
/// read anything (DOC-1, CON-7).
public struct FileStorageClient: ClientInterface {
  /// Stores a document of the signed-in person, part by part as the elements are requested, and
  /// ends with the stored document or with the error. Nothing is stored if the consumer stops
  /// before.
  ///
  /// If another document has the name, the new one gets a number.
  @TransferEndpoint("FileStorageClient.upload")
  public var upload: @Sendable (Data, StorageMetadata) -> AsyncStream<UploadEvent>
  /// Returns the URL of a file, if the person can read it now.
  /// - Throws: ``ClientError/fileNotFound``, ``ClientError/fileClosed``.
  @Endpoint("FileStorageClient.url")
  public var url: @Sendable (UUID) async throws(ClientError) -> StoredFileURL
  /// Returns a part of a file, shorter at its end and empty after it. Each part is read only if the
  /// person can still read the file.
  @Endpoint("FileStorageClient.read")
  public var read:
    @Sendable (StoredFileURL, _ offset: Int, _ count: Int) async throws(ClientError) -> Data
  /// Deletes a document of the signed-in person.
  /// - Throws: ``ClientError/fileNotFound``.
  @Endpoint("FileStorageClient.delete")
  public var delete: @Sendable (EmergencyDocument.ID) async throws(ClientError) -> Void

  public init() {}

  /// The number of bytes that are transferred between two progress events.
  public static let partSize = 256 << 10
}

extension FileStorageClient {
  /// Returns a whole file.
  public func download(_ url: StoredFileURL) async throws(ClientError) -> Data {
    var data = Data()
    while true {
      let part = try await read(url, data.count, Self.partSize)
      guard !part.isEmpty else { return data }
      data += part
    }
  }
}

/// The details of a document to store.
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

/// The progress of storing a file.
public enum UploadEvent: Equatable, TransferEvent {
  /// The share that is done, from 0 to 100.
  case progress(percent: Int)
  case completed(EmergencyDocument)
  case failed(ClientError)

  /// The error if it has failed, else `nil`.
  public var failure: (any AppError)? { if case .failed(let error) = self { error } else { nil } }
}

/// The URL of a stored file: `lifesignal://file/<id>`.
public struct StoredFileURL: Hashable, Sendable, CustomStringConvertible {
  public let id: UUID
  public init(_ id: UUID) { self.id = id }

  public var description: String { "lifesignal://file/" + id.uuidString.lowercased() }
}

/// Encoded as its identity.
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
