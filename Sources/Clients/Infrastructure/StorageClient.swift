public import Composable
public import FoundationEssentials

/// Each person's own documents, readable and writable by that person only.
///
/// A document is a JSON object under a path of collection and id. Every write raises its version; a
/// writer that gives the version it has read is refused with ``StorageError/conflict(_:)`` if
/// another writer was faster.
public struct StorageClient: ClientInterface {
  /// Returns the document, or `nil`.
  @Endpoint("StorageClient.document")
  public var document: @Sendable (DocumentPath) async throws(StorageError) -> Document?
  /// Writes a whole document. With `expectedVersion` 0 there must be none yet; with `nil` any
  /// version is overwritten.
  /// - Returns: The new version, counted from 1.
  @Endpoint("StorageClient.setDocument")
  public var setDocument:
    @Sendable (DocumentPath, _ json: Data, _ expectedVersion: Int?) async throws(StorageError) ->
      Int
  /// Replaces the fields that the JSON object names and leaves the others (RFC 7396, one level).
  /// - Throws: ``StorageError/documentNotFound(_:)``
  @Endpoint("StorageClient.updateDocument")
  public var updateDocument:
    @Sendable (DocumentPath, _ json: Data) async throws(StorageError) -> Int
  /// Deletes a document; one that does not exist is no error.
  @Endpoint("StorageClient.deleteDocument")
  public var deleteDocument: @Sendable (DocumentPath) async throws(StorageError) -> Void
  /// Writes a document under a new id.
  @Endpoint("StorageClient.addDocument")
  public var addDocument:
    @Sendable (CollectionPath, _ json: Data) async throws(StorageError) -> DocumentPath
  /// Writes all of these in their order, or none. Nobody ever sees a part of them.
  /// - Throws: ``StorageError/conflict(_:)`` for a requirement that is not met, and the errors of
  ///   each write; nothing is changed then.
  @Endpoint("StorageClient.batch")
  public var batch: @Sendable ([DocumentWrite]) async throws(StorageError) -> Void
  /// Adds to a whole number at the top level of a document in one step, whatever other writers do.
  /// A missing field counts as 0.
  /// - Returns: The new number.
  /// - Throws: ``StorageError/documentNotFound(_:)``; ``StorageError/serialization(_:)`` if the
  ///   field is not a whole number or the sum does not fit into 64 bits.
  @Endpoint("StorageClient.increment")
  public var increment:
    @Sendable (DocumentPath, _ field: String, _ amount: Int) async throws(StorageError) -> Int
  @Endpoint("StorageClient.query")
  public var query:
    @Sendable (CollectionPath, DocumentQuery) async throws(StorageError) -> [Document]
  /// The document now, then after every change; `nil` while there is none.
  @StreamEndpoint("StorageClient.observeDocument")
  public var observeDocument: @Sendable (DocumentPath) -> AsyncThrowingStream<Document?, any Error>
  /// The query's result now, then after every change.
  @StreamEndpoint("StorageClient.observeCollection")
  public var observeCollection:
    @Sendable (CollectionPath, DocumentQuery) -> AsyncThrowingStream<[Document], any Error>

  public init() {}
}

extension StorageClient {
  /// Returns the decoded document, or `nil` if there is none.
  /// - Throws: ``StorageError/serialization(_:)`` if it has another shape.
  public func value<Value: Decodable>(
    _ type: Value.Type, at path: DocumentPath
  ) async throws(StorageError) -> Value? {
    try await document(path)?.decoded(as: type)
  }

  /// Encodes and writes a document, replacing any that exists.
  public func setValue(
    _ value: some Encodable, at path: DocumentPath
  ) async throws(StorageError) {
    let json: Data
    do { json = try JSONEncoder().encode(value) } catch {
      throw .serialization(ErrorTransformer.summary(of: error))
    }
    _ = try await setDocument(path, json, nil)
  }
}

extension DependencyValues {
  public var storageClient: StorageClient {
    get { self[StorageClient.self] }
    set { self[StorageClient.self] = newValue }
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// Returns a stream that ends at once.
  public static func finished() -> Self { Self { $0.finish() } }
}
