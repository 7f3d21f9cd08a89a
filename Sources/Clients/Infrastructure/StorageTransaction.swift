public import FoundationEssentials

/// Reads and writes that belong together: the writes are made only if nothing that was read has
/// changed in the meantime.
///
/// A read returns what is in the store, not what this transaction is about to write.
public struct StorageTransaction: Sendable {
  private let read: @Sendable (DocumentPath) async throws(StorageError) -> Document?
  private var requirements: [DocumentPath: Document?] = [:]
  private var writes: [DocumentWrite] = []

  fileprivate init(
    read: @escaping @Sendable (DocumentPath) async throws(StorageError) -> Document?
  ) {
    self.read = read
  }

  /// Returns the document, or `nil`; repeated reads return the same.
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

  /// Deletes a document; one that does not exist is no error.
  public mutating func delete(_ path: DocumentPath) { writes.append(.delete(path)) }

  /// The writes, after a requirement for each document that was read, in a stable order.
  fileprivate var batch: [DocumentWrite] {
    requirements.sorted { $0.key.description < $1.key.description }
      .map { .require($0.key, $0.value) } + writes
  }
}

extension StorageClient {
  /// The number of times that a transaction is tried.
  public static let transactionAttempts = 5

  /// Reads documents, decides, and writes, as if there were no other writer.
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
  ///   - attempts: The most times it is tried: the body runs again if another writer has changed
  ///     what it read.
  ///   - body: Must only read and write through its argument, since it can run several times.
  ///     Nothing is written if it throws.
  /// - Throws: ``StorageError/conflict(_:)`` if another writer was faster each time.
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
