public import Composable
public import Domain

/// The emergency documents of the user and of those they respond for, without their bytes
/// (DOC-1): those are added, read and deleted by ``FileStorageClient``.
public struct DocumentsClient: ClientInterface {
  /// The user's own, by name.
  @Endpoint("DocumentsClient.documents")
  public var documents: @Sendable () async throws(ClientError) -> [EmergencyDocument]
  /// Those of a dependent by name, also those that may be opened only during an alert.
  /// - Throws: ``ClientError/fileNotFound`` for anybody but the other side of an active relation in
  ///   which the user responds.
  @Endpoint("DocumentsClient.documentsOf")
  public var documentsOf: @Sendable (Contact.ID) async throws(ClientError) -> [EmergencyDocument]
  /// Gives a document of the user's another name.
  /// - Throws: ``ValidationError/documentNameTaken(_:)`` as ``ClientError/invalid(_:)``.
  @Endpoint("DocumentsClient.rename")
  public var rename:
    @Sendable (EmergencyDocument.ID, _ name: String) async throws(ClientError) -> EmergencyDocument
  /// Changes when responders may open a document of the user's.
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
