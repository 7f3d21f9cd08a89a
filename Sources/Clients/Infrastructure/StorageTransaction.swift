public import FoundationEssentials

/// What is read and written together: the writes are made only if nobody has changed in the meantime what
/// was read.
///
/// A read shows what the store holds, not what this transaction is about to write.
public struct StorageTransaction: Sendable {
  private let read: @Sendable (DocumentPath) async throws(StorageError) -> Document?
  private var requirements: [DocumentPath: Document?] = [:]
  private var writes: [DocumentWrite] = []

  fileprivate init(
    read: @escaping @Sendable (DocumentPath) async throws(StorageError) -> Document?
  ) {
    self.read = read
  }

  /// The document, or `nil`; the same each time it is asked for.
  public mutating func document(_ path: DocumentPath) async throws(StorageError) -> Document? {
    if let known = requirements[path] { return known }
    let document = try await read(path)
    requirements[path] = .some(document)
    return document
  }

  /// Writes a whole document.
  public mutating func set(_ path: DocumentPath, _ json: Data) { writes.append(.set(path, json)) }

  /// Replaces the fields that the JSON object names.
  public mutating func update(_ path: DocumentPath, _ json: Data) {
    writes.append(.update(path, json))
  }

  /// Deleting one that is not there is no error.
  public mutating func delete(_ path: DocumentPath) { writes.append(.delete(path)) }

  /// What is read is required first, in an order that does not change from run to run.
  fileprivate var batch: [DocumentWrite] {
    requirements.sorted { $0.key.description < $1.key.description }
      .map { .require($0.key, $0.value) } + writes
  }
}

extension StorageClient {
  /// How often a transaction is tried.
  public static let transactionAttempts = 5

  /// Reads documents, decides, and writes, as if nobody else were there.
  ///
  /// ```swift
  /// try await storageClient.transaction { transaction in
  ///   guard let draft = try await transaction.document(draft) else { return }
  ///   transaction.set(published, draft.json)
  ///   transaction.delete(draft.path)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - attempts: How often it is tried at most: the body runs again when somebody else has changed
  ///     what it had read.
  ///   - body: Does nothing but read and write by what it is given, since it may run several times.
  ///     When it throws, nothing is written.
  /// - Throws: ``StorageError/conflict(_:)`` when somebody else was faster each time.
  public func transaction<Value: Sendable>(
    attempts: Int = transactionAttempts,
    _ body: @Sendable (inout StorageTransaction) async throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    var attempt = 1
    while true {
      var transaction = StorageTransaction(read: document)
      let value = try await body(&transaction)
      do throws(StorageError) {
        try await batch(transaction.batch)
        return value
      } catch .conflict(let path) {
        guard attempt < attempts, !Task.isCancelled else { throw .conflict(path) }
        attempt += 1
      }
    }
  }
}
