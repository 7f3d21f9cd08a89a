public import Composable
public import Domain

/// The emergency documents of the user and of those for whom the user responds, without their bytes
/// (DOC-1): those are added, read and deleted by ``FileStorageClient``.
public struct DocumentsClient: Sendable {
  /// The user's own, by name.
  public var documents: @Sendable () async throws(FileStorageError) -> [EmergencyDocument]
  /// Those of a dependent by name, also those that may be opened only during an alert.
  /// - Throws: ``FileStorageError/notFound`` for anybody but the other side of an active relation in
  ///   which the user responds.
  public var documentsOf:
    @Sendable (Contact.ID) async throws(FileStorageError) -> [EmergencyDocument]
  /// Gives a document of the user's another name.
  /// - Throws: ``ValidationError/documentNameTaken(_:)`` as ``FileStorageError/invalid(_:)``.
  public var rename:
    @Sendable (EmergencyDocument.ID, _ name: String) async throws(FileStorageError) ->
      EmergencyDocument
  /// Changes when responders may open a document of the user's.
  public var setAccess:
    @Sendable (EmergencyDocument.ID, EmergencyDocument.Access) async throws(FileStorageError) ->
      EmergencyDocument
  /// ``documents`` now and after every change.
  public var observe: @Sendable () -> AsyncThrowingStream<[EmergencyDocument], any Error>
  /// ``documentsOf`` now and after every change by anyone; ends with an error when the relation does.
  public var observeOf:
    @Sendable (Contact.ID) -> AsyncThrowingStream<[EmergencyDocument], any Error>

  public init(
    documents: @escaping @Sendable () async throws(FileStorageError) -> [EmergencyDocument],
    documentsOf:
      @escaping @Sendable (Contact.ID) async throws(FileStorageError) -> [EmergencyDocument],
    rename:
      @escaping @Sendable (EmergencyDocument.ID, String) async throws(FileStorageError) ->
      EmergencyDocument,
    setAccess:
      @escaping @Sendable (EmergencyDocument.ID, EmergencyDocument.Access)
      async throws(FileStorageError) -> EmergencyDocument,
    observe: @escaping @Sendable () -> AsyncThrowingStream<[EmergencyDocument], any Error>,
    observeOf:
      @escaping @Sendable (Contact.ID) -> AsyncThrowingStream<[EmergencyDocument], any Error>
  ) {
    self.documents = documents
    self.documentsOf = documentsOf
    self.rename = rename
    self.setAccess = setAccess
    self.observe = observe
    self.observeOf = observeOf
  }
}

extension DocumentsClient: TestDependencyKey {
  public static var testValue: Self {
    func missing(_ name: String) -> FileStorageError { .unimplemented("DocumentsClient.\(name)") }
    return Self(
      documents: unimplemented("DocumentsClient.documents", throwing: missing("documents")),
      documentsOf: unimplemented("DocumentsClient.documentsOf", throwing: missing("documentsOf")),
      rename: unimplemented("DocumentsClient.rename", throwing: missing("rename")),
      setAccess: unimplemented("DocumentsClient.setAccess", throwing: missing("setAccess")),
      observe: unimplemented("DocumentsClient.observe", placeholder: .finished()),
      observeOf: unimplemented("DocumentsClient.observeOf", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var documentsClient: DocumentsClient {
    get { self[DocumentsClient.self] }
    set { self[DocumentsClient.self] = newValue }
  }
}
