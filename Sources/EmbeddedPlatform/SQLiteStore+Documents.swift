import Clients
import FoundationEssentials

extension SQLiteStore {
  /// Whose documents these are; 0 before the onboarding.
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
    return try write(StorageError.self, .other) {
      let version = try storedDocument(path)?.version ?? 0
      if let expectedVersion, expectedVersion != version { throw StorageError.conflict("\(path)") }
      return try put(json, at: path)
    }
  }

  func updateDocument(_ path: DocumentPath, _ json: Data) throws(StorageError) -> Int {
    try write(StorageError.self, .other) { try merge(json, into: path) }
  }

  func deleteDocument(_ path: DocumentPath) throws(StorageError) {
    try write(StorageError.self, .other) { try removeDocument(path) }
  }

  func increment(
    _ path: DocumentPath, _ field: String, by amount: Int
  ) throws(StorageError) -> Int {
    try write(StorageError.self, .other) { try add(amount, to: field, of: path) }
  }

  func writeTogether(_ writes: [DocumentWrite]) throws(StorageError) {
    try DocumentWrite.checkCount(writes)
    try write(StorageError.self, .other) {
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
    // SQLite turns a sum that is too large into a real number, which is then not written. A number
    // like 2.0 is whole, as far as a real number can tell.
    let sum = try database.value(
      String.self,
      """
      UPDATE document SET version = version + 1, json = json_set(json, ?4, number.value + ?5)
      FROM (
        SELECT CASE json_type(json, ?4)
          WHEN 'integer' THEN json_extract(json, ?4)
          WHEN 'real' THEN iif(
            abs(json_extract(json, ?4)) <= 9007199254740992
              AND json_extract(json, ?4) = CAST(json_extract(json, ?4) AS INTEGER),
            CAST(json_extract(json, ?4) AS INTEGER), NULL)
          WHEN 'null' THEN 0
          ELSE iif(json_type(json, ?4) IS NULL, 0, NULL) END AS value
        FROM document WHERE account = ?1 AND collection = ?2 AND id = ?3
      ) AS number
      WHERE account = ?1 AND collection = ?2 AND id = ?3
        AND typeof(number.value) = 'integer' AND typeof(number.value + ?5) = 'integer'
      RETURNING CAST(json_extract(json, ?4) AS TEXT)
      """, documentOwner(), path.collection.name, path.id, counter.jsonPath, amount)
    if let sum = sum.flatMap({ Int($0) }) { return sum }
    guard let document = try storedDocument(path) else { throw .documentNotFound("\(path)") }
    // Its own words for why not.
    _ = try counter.sum(in: JSONObject(document.json), adding: amount)
    throw .serialization("\(path): “\(field)” could not be counted")
  }

  private func put(_ json: Data, at path: DocumentPath) throws(StorageError) -> Int {
    let version = try database.value(
      Int.self,
      """
      INSERT INTO document (account, collection, id, version, json) VALUES (?1, ?2, ?3, 1, ?4)
      ON CONFLICT DO UPDATE SET version = version + 1, json = excluded.json RETURNING version
      """, documentOwner(), path.collection.name, path.id, String(decoding: json, as: UTF8.self))
    guard let version else { throw .unknown("the document has no version") }
    return version
  }

  func query(
    _ collection: CollectionPath, _ query: DocumentQuery
  ) throws(StorageError) -> [Document] {
    try read(StorageError.self) {
      let sql = DocumentSQL(query)
      let rows = try database.rows(
        sql.text, values: [documentOwner(), collection.name] + sql.values
      ) { row throws(StorageError) -> (String, Int, String) in
        (try row.read(), try row.read(), try row.read())
      }
      return try rows.map { id, version, json in
        Document(path: try collection.document(id), version: version, json: Data(json.utf8))
      }
    }
  }
}

/// A query of documents as SQL, every name and value of it bound.
private struct DocumentSQL {
  private(set) var text = """
    SELECT id, version, json FROM document WHERE account = ?1 AND collection = ?2
    """
  private(set) var values: [(any SQLBindable)?] = []

  init(_ query: DocumentQuery) {
    for filter in query.filters {
      let types =
        switch filter.value {
        case .string: "'text'"
        case .number: "'integer', 'real'"
        case .bool: "'true', 'false'"
        }
      // The names of fields are compared as values: a path could mean something else.
      text += """
         AND EXISTS (SELECT 1 FROM json_each(document.json) AS field
          WHERE field.key = \(bind(filter.field)) AND field.type IN (\(types))
            AND field.atom \(filter.comparison.rawValue) \(bind(filter.value.bindable)))
        """
    }
    let direction = query.descending ? "DESC" : "ASC"
    if let order = query.order {
      let field = bind(order)
      func column(_ expression: String) -> String {
        "(SELECT \(expression) FROM json_each(document.json) AS field WHERE field.key = \(field))"
      }
      // Documents without the field come first in either direction, then bools, numbers, texts.
      let rank = column(
        """
        CASE field.type WHEN 'null' THEN NULL WHEN 'true' THEN 1 WHEN 'false' THEN 1
          WHEN 'integer' THEN 2 WHEN 'real' THEN 2 WHEN 'text' THEN 3 ELSE 4 END
        """)
      text += " ORDER BY \(rank) IS NOT NULL, \(rank) \(direction)"
      text += ", \(column("field.atom")) \(direction), id"
    } else {
      text += " ORDER BY id \(direction)"
    }
    if let limit = query.limit { text += " LIMIT \(bind(max(0, limit)))" }
  }

  private mutating func bind(_ value: any SQLBindable) -> String {
    values.append(value)
    return "?\(values.count + 2)"
  }
}

extension DocumentQuery.Value {
  fileprivate var bindable: any SQLBindable {
    switch self {
    case .string(let text): text
    case .number(let number): number
    case .bool(let bool): bool
    }
  }
}
