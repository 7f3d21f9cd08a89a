public import FoundationEssentials

/// One of several writes that are made together (``StorageClient/batch``).
public enum DocumentWrite: Equatable, Codable, Sendable {
  /// Writes a whole document, replacing any that exists.
  case set(DocumentPath, Data)
  /// Replaces the fields that the JSON object names, in an existing document.
  case update(DocumentPath, Data)
  case delete(DocumentPath)
  /// Adds to a whole number at the top level, as ``StorageClient/increment`` does.
  case increment(DocumentPath, field: String, by: Int)
  /// Writes nothing, but has the batch refused unless the document is still as it was read; `nil`
  /// for one that must not exist.
  case require(DocumentPath, Document?)

  /// The most writes in a batch: other writers wait while it is made.
  public static let limit = 500
}

extension DocumentWrite {
  /// - Throws: ``StorageError/serialization(_:)`` for more writes than a batch can have.
  package static func checkCount(_ writes: [DocumentWrite]) throws(StorageError) {
    guard writes.count <= limit else {
      throw .serialization("a batch holds at most \(limit) writes")
    }
  }
}
