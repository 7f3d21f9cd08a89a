import Clients
import FoundationEssentials
import Store
import Synchronization

/// The bytes of documents and pictures in the database, in parts that belong to the row of the
/// file: a file with a row has its bytes, and both are deleted together.
///
/// Used only on the executor of its place's lane, which has the connection.
struct PostgresBlobs: BlobStore {
  let place: PostgresPlace

  func begin(_ id: UUID) throws(StorageError) -> any BlobWriter { Writer(id, place) }

  func read(_ id: UUID, size: Int, _ range: Range<Int>) throws(ClientError) -> Data {
    do {
      let connection = try place.connection
      let stored = try connection.optionalValue(
        Int.self,
        """
        SELECT sum(octet_length(bytes))::bigint FROM blob_part
        WHERE file = (SELECT key FROM file WHERE id = ?1)
        """, id)
      guard stored ?? 0 == size else { throw ClientError.fileDamaged }
      guard let last = range.last else { return Data() }
      let partSize = FileStorageClient.partSize
      let parts = range.lowerBound / partSize...last / partSize
      var data = Data()
      try connection.visit(
        """
        SELECT encode(bytes, 'base64') FROM blob_part
        WHERE file = (SELECT key FROM file WHERE id = ?1) AND part BETWEEN ?2 AND ?3 ORDER BY part
        """, id, parts.lowerBound, parts.upperBound
      ) { row throws(StorageError) in
        let text: String = try row.read()
        data += Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
        return true
      }
      let start = range.lowerBound - parts.lowerBound * partSize
      guard data.count >= start + range.count else { throw ClientError.fileDamaged }
      return Data(data.dropFirst(start).prefix(range.count))
    } catch {
      throw error as? ClientError ?? .storage(.wrapping(error))
    }
  }

  /// Does nothing: the bytes were deleted with their rows.
  func delete(_ ids: [UUID]) {}

  private final class Writer: BlobWriter {
    private let id: UUID
    private let place: PostgresPlace
    private let data = Mutex(Data())

    init(_ id: UUID, _ place: PostgresPlace) {
      self.id = id
      self.place = place
    }

    func append(_ part: Data) { data.withLock { $0.append(part) } }
    func synchronize() {}

    /// Writes the bytes. They are kept here as well, because the transaction may run again.
    func takeName() throws(StorageError) {
      let connection = try place.connection
      let data = data.withLock { $0 }
      var rest = data[...]
      var part = 0
      while !rest.isEmpty {
        try connection.run(
          """
          INSERT INTO blob_part (file, part, bytes)
          SELECT key, ?2, decode(?3, 'base64') FROM file WHERE id = ?1
          """, id, part, rest.prefix(FileStorageClient.partSize).base64EncodedString())
        rest = rest.dropFirst(FileStorageClient.partSize)
        part += 1
      }
    }
  }
}
