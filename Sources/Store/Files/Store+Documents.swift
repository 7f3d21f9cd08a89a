import Clients
import Domain
import FoundationEssentials

extension Store {
  /// Returns the account that the documents belong to; 0 before the onboarding.
  private func documentOwner() throws(StorageError) -> Int {
    try currentKey() ?? 0
  }

  func document(_ path: DocumentPath) throws(StorageError) -> Document? {
    try read(StorageError.self) { try storedDocument(path) }
  }

  private func storedDocument(_ path: DocumentPath) throws(StorageError) -> Document? {
    try database.row(
      "SELECT version, json FROM document WHERE account = ?1 AND collection = ?2 AND id = ?3",
      documentOwner(), path.collection.name, path.id
    ) { row throws(StorageError) in
      Document(path: path, version: try row.read(), json: Data(try row.read(String.self).utf8))
    }
  }

  func setDocument(
    _ path: DocumentPath, _ json: Data, expectedVersion: Int?
  ) throws(StorageError) -> Int {
    _ = try JSONObject(json)
    return try writeDocuments {
      let version = try storedDocument(path)?.version ?? 0
      if let expectedVersion, expectedVersion != version { throw StorageError.conflict("\(path)") }
      return try put(json, at: path)
    }
  }

  func updateDocument(_ path: DocumentPath, _ json: Data) throws(StorageError) -> Int {
    try writeDocuments { try merge(json, into: path) }
  }

  func deleteDocument(_ path: DocumentPath) throws(StorageError) {
    try writeDocuments { try removeDocument(path) }
  }

  func increment(
    _ path: DocumentPath, _ field: String, by amount: Int
  ) throws(StorageError) -> Int {
    try writeDocuments { try add(amount, to: field, of: path) }
  }

  func writeTogether(_ writes: [DocumentWrite]) throws(StorageError) {
    try DocumentWrite.checkCount(writes)
    try writeDocuments {
      for write in writes {
        switch write {
        case .set(let path, let json):
          _ = try JSONObject(json)
          _ = try put(json, at: path)
        case .update(let path, let json): _ = try merge(json, into: path)
        case .delete(let path): try removeDocument(path)
        case .increment(let path, let field, let amount):
          _ = try add(amount, to: field, of: path)
        case .require(let path, let document):
          guard try storedDocument(path) == document else {
            throw StorageError.conflict("\(path)")
          }
        }
      }
    }
  }

  func addDocument(
    _ collection: CollectionPath, _ json: Data
  ) throws(StorageError) -> DocumentPath {
    let path = try collection.document(makeUUID().uuidString.lowercased())
    _ = try setDocument(path, json, expectedVersion: 0)
    return path
  }

  // MARK: In a transaction

  /// Writes documents, and makes observers in other processes read again.
  private func writeDocuments<Value>(_ body: () throws -> Value) throws(StorageError) -> Value {
    try write(StorageError.self, .other) {
      let before = try storedAmount()
      let value = try body()
      // An account that has more, from before there were limits, can still get below it.
      if let before, let after = try storedAmount() {
        let tooMany = after.count > max(before.count, Quota.documents.limit)
        guard !tooMany, after.length <= max(before.length, Quota.documentBytes.limit) else {
          throw StorageError.permissionDenied(
            ClientError.limitReached(tooMany ? .documents : .documentBytes).text.sentence)
        }
      }
      if let account = try currentKey() { try noteChange(of: account) }
      return value
    }
  }

  private func merge(_ json: Data, into path: DocumentPath) throws(StorageError) -> Int {
    let change = try JSONObject(json)
    guard let document = try storedDocument(path) else {
      throw .documentNotFound("\(path)")
    }
    var object = try JSONObject(document.json)
    object.merge(change)
    return try put(object.encoded(), at: path)
  }

  private func removeDocument(_ path: DocumentPath) throws(StorageError) {
    try database.run(
      "DELETE FROM document WHERE account = ?1 AND collection = ?2 AND id = ?3",
      documentOwner(), path.collection.name, path.id)
  }

  private func add(
    _ amount: Int, to field: String, of path: DocumentPath
  ) throws(StorageError) -> Int {
    let counter = try DocumentCounter(field, of: path)
    guard let document = try storedDocument(path) else { throw .documentNotFound("\(path)") }
    var object = try JSONObject(document.json)
    let sum = try counter.add(amount, in: &object)
    _ = try put(object.encoded(), at: path)
    return sum
  }

  private func put(_ json: Data, at path: DocumentPath) throws(StorageError) -> Int {
    if session.isRemote, json.count > Quota.documentSize.limit {
      throw .permissionDenied(ClientError.limitReached(.documentSize).text.sentence)
    }
    let version = try database.value(
      Int.self,
      """
      INSERT INTO document (account, collection, id, version, json) VALUES (?1, ?2, ?3, 1, ?4)
      ON CONFLICT (account, collection, id)
      DO UPDATE SET version = document.version + 1, json = excluded.json RETURNING version
      """, documentOwner(), path.collection.name, path.id, String(decoding: json, as: UTF8.self))
    guard let version else { throw .unknown("the document has no version") }
    return version
  }

  func query(
    _ collection: CollectionPath, _ query: DocumentQuery
  ) throws(StorageError) -> [Document] {
    try read(StorageError.self) {
      // SQL applies the limit only if the query doesn't look into the documents.
      let isPlain = query.filters.isEmpty && query.order == nil
      let limit = isPlain ? query.limit.map { max(0, $0) } : nil
      let documents = try database.rows(
        """
        SELECT id, version, json FROM document WHERE account = ?1 AND collection = ?2
        ORDER BY id \(query.order == nil && query.descending ? "DESC" : "ASC") LIMIT ?3
        """, documentOwner(), collection.name, limit ?? Int(Int32.max)
      ) { row throws(StorageError) -> (String, Int, String) in
        (try row.read(), try row.read(), try row.read())
      }.map { id, version, json in
        Document(path: try collection.document(id), version: version, json: Data(json.utf8))
      }
      return isPlain ? documents : try query.select(from: documents)
    }
  }
}
