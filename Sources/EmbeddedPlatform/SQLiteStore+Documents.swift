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
    let change = try JSONObject(json)
    return try write(StorageError.self, .other) {
      guard let document = try storedDocument(path) else {
        throw StorageError.documentNotFound("\(path)")
      }
      var object = try JSONObject(document.json)
      object.merge(change)
      return try put(object.encoded(), at: path)
    }
  }

  func deleteDocument(_ path: DocumentPath) throws(StorageError) {
    try write(StorageError.self, .other) {
      try database.run(
        "DELETE FROM document WHERE account = ?1 AND collection = ?2 AND id = ?3",
        documentOwner(), path.collection.name, path.id)
      return ()
    }
  }

  func addDocument(
    _ collection: CollectionPath, _ json: Data
  ) throws(StorageError) -> DocumentPath {
    let path = try collection.document(makeUUID().uuidString.lowercased())
    _ = try setDocument(path, json, expectedVersion: 0)
    return path
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
