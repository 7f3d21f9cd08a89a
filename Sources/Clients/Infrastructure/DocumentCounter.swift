/// A whole number at the top level of a document, with the same arithmetic on every platform.
package struct DocumentCounter: Sendable {
  private let path: DocumentPath
  private let field: String

  /// - Throws: ``StorageError/serialization(_:)`` for a name that is not 1–64 letters, digits, `-` or
  ///   `_`.
  package init(_ field: String, of path: DocumentPath) throws(StorageError) {
    guard DocumentPath.isSegment(field) else {
      throw .serialization("“\(field.prefix(64))” isn't the name of a counter")
    }
    self.path = path
    self.field = field
  }

  /// - Throws: ``StorageError/serialization(_:)`` if the field is not a whole number, or the sum
  ///   overflows.
  private func sum(in object: JSONObject, adding amount: Int) throws(StorageError) -> Int {
    let number: Int
    switch object.fields[field] {
    case nil, .null: number = 0
    case .integer(let value): number = value
    default: throw .serialization("\(path): “\(field)” isn't a whole number")
    }
    let (sum, overflows) = number.addingReportingOverflow(amount)
    guard !overflows else { throw .serialization("\(path): “\(field)” would be too large") }
    return sum
  }

  package func add(_ amount: Int, in object: inout JSONObject) throws(StorageError) -> Int {
    let sum = try sum(in: object, adding: amount)
    object.fields[field] = .integer(sum)
    return sum
  }
}
