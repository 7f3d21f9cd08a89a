public import Composable
public import FoundationEssentials

/// Each person's own documents – settings, drafts, list choices –, readable and writable by that
/// person only.
///
/// A document is a JSON object under a path of collection and id. Every write raises its version;
/// a writer that names the version it read is refused with ``StorageError/conflict(_:)`` when
/// somebody else was faster.
public struct StorageClient: ClientInterface {
  /// The document, or `nil`.
  @Endpoint("StorageClient.document")
  public var document: @Sendable (DocumentPath) async throws(StorageError) -> Document?
  /// Writes a whole document; `expectedVersion` 0 means that there must be none yet, `nil` that
  /// anything may be overwritten.
  /// - Returns: the new version, counting from 1.
  @Endpoint("StorageClient.setDocument")
  public var setDocument:
    @Sendable (DocumentPath, _ json: Data, _ expectedVersion: Int?) async throws(StorageError) ->
      Int
  /// Replaces the fields that the JSON object names and leaves the others (RFC 7396, one level).
  /// - Throws: ``StorageError/documentNotFound(_:)``
  @Endpoint("StorageClient.updateDocument")
  public var updateDocument:
    @Sendable (DocumentPath, _ json: Data) async throws(StorageError) -> Int
  /// Deleting one that is not there is no error.
  @Endpoint("StorageClient.deleteDocument")
  public var deleteDocument: @Sendable (DocumentPath) async throws(StorageError) -> Void
  /// Writes a document under a new id.
  @Endpoint("StorageClient.addDocument")
  public var addDocument:
    @Sendable (CollectionPath, _ json: Data) async throws(StorageError) -> DocumentPath
  /// Writes all of these in their order, or none. Nobody sees a part of them.
  /// - Throws: ``StorageError/conflict(_:)`` for a requirement that is not met, and what each write
  ///   throws; then nothing is changed.
  @Endpoint("StorageClient.batch")
  public var batch: @Sendable ([DocumentWrite]) async throws(StorageError) -> Void
  /// Adds to a whole number at the top level of a document, in one step, no matter who else does; a field
  /// that is not there counts as 0.
  /// - Returns: the new number.
  /// - Throws: ``StorageError/documentNotFound(_:)``; ``StorageError/serialization(_:)`` where the
  ///   field is no whole number or the sum does not fit into 64 bits.
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
  /// The document decoded, or `nil` when there is none.
  /// - Throws: ``StorageError/serialization(_:)`` when it has another shape.
  public func value<Value: Decodable>(
    _ type: Value.Type, at path: DocumentPath
  ) async throws(StorageError) -> Value? {
    try await document(path)?.decoded(as: type)
  }

  /// Encodes and writes a document, whatever was there.
  public func setValue(
    _ value: some Encodable, at path: DocumentPath
  ) async throws(StorageError) {
    let json: Data
    do { json = try JSONEncoder().encode(value) } catch {
      throw .serialization("\(error)")
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
  /// A stream that ends at once.
  public static func finished() -> Self { Self { $0.finish() } }
}
