public import Composable
public import Domain

/// The emergency documents of the user and of those for whom the user responds, without their bytes
/// (DOC-1): those are added, read and deleted by ``FileStorageClient``.
public struct DocumentsClient: ClientInterface {
  /// The user's own, by name.
  public var documents: @Sendable () async throws(ClientError) -> [EmergencyDocument] =
    unimplemented("DocumentsClient.documents")
  /// Those of a dependent by name, also those that may be opened only during an alert.
  /// - Throws: ``ClientError/fileNotFound`` for anybody but the other side of an active relation in
  ///   which the user responds.
  public var documentsOf: @Sendable (Contact.ID) async throws(ClientError) -> [EmergencyDocument] =
    unimplemented(
      "DocumentsClient.documentsOf")
  /// Gives a document of the user's another name.
  /// - Throws: ``ValidationError/documentNameTaken(_:)`` as ``ClientError/invalid(_:)``.
  public var rename:
    @Sendable (EmergencyDocument.ID, _ name: String) async throws(ClientError) ->
      EmergencyDocument = unimplemented("DocumentsClient.rename")
  /// Changes when responders may open a document of the user's.
  public var setAccess:
    @Sendable (EmergencyDocument.ID, EmergencyDocument.Access) async throws(ClientError) ->
      EmergencyDocument = unimplemented("DocumentsClient.setAccess")
  /// ``documents`` now and after every change.
  public var observe: @Sendable () -> AsyncThrowingStream<[EmergencyDocument], any Error> =
    unimplemented("DocumentsClient.observe", placeholder: .finished())
  /// ``documentsOf`` now and after every change by anyone; ends with an error when the relation does.
  public var observeOf:
    @Sendable (Contact.ID) -> AsyncThrowingStream<[EmergencyDocument], any Error> = unimplemented(
      "DocumentsClient.observeOf", placeholder: .finished())

  public init() {}
}

extension DependencyValues {
  public var documentsClient: DocumentsClient {
    get { self[DocumentsClient.self] }
    set { self[DocumentsClient.self] = newValue }
  }
}
