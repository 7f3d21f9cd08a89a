import Clients
import FoundationEssentials

extension DocumentQuery {
  /// Returns the documents of a collection that match, in the order of the query.
  /// - Parameter documents: The documents in the order of their identifiers, which decides between
  ///   equals.
  func select(from documents: [Document]) throws(StorageError) -> [Document] {
    var found: [(document: Document, key: JSONSortKey?, place: Int)] = []
    for (place, document) in documents.enumerated() {
      let object = try JSONObject(document.json)
      guard filters.allSatisfy(object.matches) else { continue }
      found.append((document, order.flatMap(object.sortKey), place))
    }
    if order != nil {
      found.sort { left, right in
        guard left.key != right.key else { return left.place < right.place }
        // Documents without the field come first in either direction.
        guard let leftKey = left.key else { return true }
        guard let rightKey = right.key else { return false }
        return descending ? rightKey < leftKey : leftKey < rightKey
      }
    }
    return found.prefix(limit.map { max(0, $0) } ?? .max).map(\.document)
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

  /// Returns the field as it is compared, or `nil` if there is none.
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

/// A JSON value in the order of a query: Booleans, numbers, texts by their bytes, then all else.
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
