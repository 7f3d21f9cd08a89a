public import Composable
public import Domain

/// The emergency documents of the user and of those they respond for, without their contents
/// (DOC-1): ``FileStorageClient`` adds, reads and deletes those.
public struct DocumentsClient: ClientInterface {
  /// Returns the user's own documents, by name.
  @Endpoint("DocumentsClient.documents")
  public var documents: @Sendable () async throws(ClientError) -> [EmergencyDocument]
  /// Returns a dependent's documents by name, including those that can be opened only during an
  /// alert.
  /// - Throws: ``ClientError/fileNotFound`` without an active relation in which the user responds.
  @Endpoint("DocumentsClient.documentsOf")
  public var documentsOf: @Sendable (Contact.ID) async throws(ClientError) -> [EmergencyDocument]
  /// Renames one of the user's documents.
  /// - Throws: ``ValidationError/documentNameTaken(_:)`` as ``ClientError/invalid(_:)``.
  @Endpoint("DocumentsClient.rename")
  public var rename:
    @Sendable (EmergencyDocument.ID, _ name: String) async throws(ClientError) -> EmergencyDocument
  /// Changes when responders can open one of the user's documents.
  @Endpoint("DocumentsClient.setAccess")
  public var setAccess:
    @Sendable (EmergencyDocument.ID, EmergencyDocument.Access) async throws(ClientError) ->
      EmergencyDocument
  /// ``documents`` now and after every change.
  @StreamEndpoint("DocumentsClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<[EmergencyDocument], any Error>
  /// ``documentsOf`` now and after every change by anyone; ends with an error when the relation does.
  @StreamEndpoint("DocumentsClient.observeOf")
  public var observeOf:
    @Sendable (Contact.ID) -> AsyncThrowingStream<[EmergencyDocument], any Error>

  public init() {}
}

extension DependencyValues {
  public var documentsClient: DocumentsClient {
    get { self[DocumentsClient.self] }
    set { self[DocumentsClient.self] = newValue }
  }
}
