import Clients
import FoundationEssentials

extension InMemoryPlatform {
  var storageClient: StorageClient {
    StorageClient {
      $0.document = { [store] (path: DocumentPath) async throws(StorageError) in
        store.read { $0.documents[path] }
      }
      $0.setDocument = {
        [store] (path: DocumentPath, json: Data, expected: Int?) async throws(StorageError) in
        try store.setDocument(path, json, expected)
      }
      $0.updateDocument = { [store] (path: DocumentPath, json: Data) async throws(StorageError) in
        try store.updateDocument(path, json)
      }
      $0.deleteDocument = { [store] (path: DocumentPath) async throws(StorageError) in
        store.write(.other) { $0.documents[path] = nil }
      }
      $0.addDocument = {
        [store] (collection: CollectionPath, json: Data) async throws(StorageError) in
        _ = try JSONObject(json)
        let path = try collection.document(store.makeUUID().uuidString.lowercased())
        store.write(.other) { _ = $0.put(json, at: path) }
        return path
      }
      $0.batch = { [store] (writes: [DocumentWrite]) async throws(StorageError) in
        try DocumentWrite.checkCount(writes)
        try store.write(.other) { contents throws(StorageError) in
          // All or none: what fails leaves the copy behind.
          var changed = contents
          for write in writes { try changed.make(write) }
          contents = changed
        }
      }
      $0.increment = {
        [store] (path: DocumentPath, field: String, amount: Int) async throws(StorageError) in
        try store.write(.other) { contents throws(StorageError) in
          try contents.add(amount, to: field, of: path)
        }
      }
      $0.query = {
        [store] (collection: CollectionPath, query: DocumentQuery) async throws(StorageError) in
        try store.read { contents throws(StorageError) in
          try contents.documents(in: collection, query)
        }
      }
      $0.observeDocument = { [store] path in store.observe { $0.documents[path] } }
      $0.observeCollection = { [store] collection, query in
        store.observe { try $0.documents(in: collection, query) }
      }
    }
  }

  var keychainClient: KeychainClient {
    KeychainClient {
      $0.get = { [store] (name: String) async throws(KeychainError) in
        store.read { $0.secrets[name] }
      }
      $0.set = { [store] (name: String, secret: String) async throws(KeychainError) in
        store.write(.other) { $0.secrets[name] = secret }
      }
      $0.delete = { [store] (name: String) async throws(KeychainError) in
        store.write(.other) { $0.secrets[name] = nil }
      }
      $0.source = { [store] (name: String) async throws(KeychainError) in
        store.read { $0.secrets[name] == nil ? nil : .memory }
      }
      $0.keepInKeyring = { (_: String, _: String) async throws(KeychainError) in
        throw .unavailable("nothing here outlives the process")
      }
    }
  }
}

extension InMemoryStore {
  fileprivate func setDocument(
    _ path: DocumentPath, _ json: Data, _ expected: Int?
  ) throws(StorageError) -> Int {
    _ = try JSONObject(json)
    return try write(.other) { contents throws(StorageError) in
      let version = contents.documents[path]?.version ?? 0
      if let expected, expected != version { throw .conflict("\(path)") }
      return contents.put(json, at: path)
    }
  }

  fileprivate func updateDocument(
    _ path: DocumentPath, _ json: Data
  ) throws(StorageError) -> Int {
    try write(.other) { contents throws(StorageError) in try contents.merge(json, into: path) }
  }
}

extension InMemoryStore.Contents {
  fileprivate mutating func make(_ write: DocumentWrite) throws(StorageError) {
    switch write {
    case .set(let path, let json):
      _ = try JSONObject(json)
      _ = put(json, at: path)
    case .update(let path, let json): _ = try merge(json, into: path)
    case .delete(let path): documents[path] = nil
    case .increment(let path, let field, let amount): _ = try add(amount, to: field, of: path)
    case .require(let path, let document):
      guard documents[path] == document else { throw .conflict("\(path)") }
    }
  }

  fileprivate mutating func merge(
    _ json: Data, into path: DocumentPath
  ) throws(StorageError) -> Int {
    let change = try JSONObject(json)
    guard let document = documents[path] else { throw .documentNotFound("\(path)") }
    var object = try JSONObject(document.json)
    object.merge(change)
    return put(try object.encoded(), at: path)
  }

  fileprivate mutating func add(
    _ amount: Int, to field: String, of path: DocumentPath
  ) throws(StorageError) -> Int {
    let counter = try DocumentCounter(field, of: path)
    guard let document = documents[path] else { throw .documentNotFound("\(path)") }
    var object = try JSONObject(document.json)
    let sum = try counter.add(amount, in: &object)
    _ = put(try object.encoded(), at: path)
    return sum
  }

  fileprivate mutating func put(_ json: Data, at path: DocumentPath) -> Int {
    let version = (documents[path]?.version ?? 0) + 1
    documents[path] = Document(path: path, version: version, json: json)
    return version
  }

  fileprivate func documents(
    in collection: CollectionPath, _ query: DocumentQuery
  ) throws(StorageError) -> [Document] {
    var rows: [(document: Document, object: JSONObject)] = []
    for document in documents.values where document.path.collection == collection {
      let object = try JSONObject(document.json)
      if query.filters.allSatisfy(object.matches) { rows.append((document, object)) }
    }
    rows.sort { left, right in
      if let order = query.order {
        let (leftKey, rightKey) = (left.object.sortKey(order), right.object.sortKey(order))
        if leftKey != rightKey {
          guard let leftKey else { return true }
          guard let rightKey else { return false }
          return query.descending ? rightKey < leftKey : leftKey < rightKey
        }
      } else if query.descending {
        return right.document.path.id < left.document.path.id
      }
      return left.document.path.id < right.document.path.id
    }
    return rows.prefix(query.limit.map { max(0, $0) } ?? .max).map(\.document)
  }
}

extension JSONObject {
  fileprivate func matches(_ filter: DocumentQuery.Filter) -> Bool {
    let wanted =
      switch filter.value {
      case .string(let text): JSONSortKey.text(Array(text.utf8))
      case .number(let number): JSONSortKey.number(number)
      case .bool(let bool): JSONSortKey.bool(bool)
      }
    guard let found = sortKey(filter.field), found.rank == wanted.rank else { return false }
    return switch filter.comparison {
    case .equal: found == wanted
    case .less: found < wanted
    case .greater: wanted < found
    }
  }

  /// The field as it is compared, or `nil` when there is none.
  fileprivate func sortKey(_ field: String) -> JSONSortKey? {
    switch fields[field] {
    case nil, .null: nil
    case .bool(let bool): .bool(bool)
    case .integer(let number): .number(Double(number))
    case .number(let number): .number(number)
    case .string(let text): .text(Array(text.utf8))
    case .array, .object: .other
    }
  }
}

/// A JSON value in the order of a query: bools, numbers, texts by their bytes, all else.
private enum JSONSortKey: Comparable {
  case bool(Bool)
  case number(Double)
  case text([UInt8])
  case other

  var rank: Int {
    switch self {
    case .bool: 0
    case .number: 1
    case .text: 2
    case .other: 3
    }
  }

  static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }
}
