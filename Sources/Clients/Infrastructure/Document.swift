public import FoundationEssentials

/// The name of a collection: 1–64 letters, digits, `-` or `_`.
public struct CollectionPath: Hashable, Sendable {
  public let name: String

  /// - Throws: ``StorageError/serialization(_:)`` if the name has another form.
  public init(_ name: String) throws(StorageError) {
    guard DocumentPath.isSegment(name) else {
      throw .serialization("“\(name.prefix(64))” isn't a collection name")
    }
    self.name = name
  }

  fileprivate init(unchecked name: StaticString) { self.name = "\(name)" }

  /// The person's choices for the screens.
  public static let settings = CollectionPath(unchecked: "settings")
  /// Text that was typed and not yet saved.
  public static let drafts = CollectionPath(unchecked: "drafts")

  /// Returns the path of a document in this collection; its id has the form of a collection's name.
  public func document(_ id: String) throws(StorageError) -> DocumentPath {
    try DocumentPath(collection: self, id: id)
  }
}

/// The path of a document: `collection/id`.
public struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
  public let collection: CollectionPath
  public let id: String

  /// - Throws: ``StorageError/serialization(_:)`` if the id has another form.
  public init(collection: CollectionPath, id: String) throws(StorageError) {
    guard Self.isSegment(id) else {
      throw .serialization("“\(id.prefix(64))” isn't a document id")
    }
    self.collection = collection
    self.id = id
  }

  private init(unchecked collection: CollectionPath, id: StaticString) {
    self.collection = collection
    self.id = "\(id)"
  }

  /// The look of the screen, as versions up to November 2026 kept it; now a setting of the terminal.
  public static let appearance = DocumentPath(unchecked: .settings, id: "appearance")

  /// The orders of lists, as those versions kept them (ORD-1).
  public static let lists = DocumentPath(unchecked: .settings, id: "lists")
  /// The test message at the end of opening an account, until it is sent or postponed.
  public static let firstMessage = DocumentPath(unchecked: .settings, id: "first-message")

  public var description: String { "\(collection.name)/\(id)" }

  static func isSegment(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

extension CollectionPath: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

/// Encoded as `collection/id`.
extension DocumentPath: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let segments = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard segments.count == 2 else {
      throw StorageError.serialization("“\(text.prefix(130))” isn't the path of a document")
    }
    try self.init(collection: CollectionPath(segments[0]), id: segments[1])
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A JSON object with its path and version.
public struct Document: Equatable, Codable, Sendable {
  public let path: DocumentPath
  /// The number of writes so far, counted from 1.
  public let version: Int
  public let json: Data

  public init(path: DocumentPath, version: Int, json: Data) {
    self.path = path
    self.version = version
    self.json = json
  }

  /// - Throws: ``StorageError/serialization(_:)`` if the JSON has another shape.
  public func decoded<Value: Decodable>(as type: Value.Type) throws(StorageError) -> Value {
    do { return try JSONDecoder().decode(type, from: json) } catch {
      throw .serialization("\(path): \(ErrorTransformer.summary(of: error))")
    }
  }
}

/// A selection of a collection's documents, and their order.
public struct DocumentQuery: Equatable, Codable, Sendable {
  public var filters: [Filter]
  /// The top-level field to sort by; documents without it come first. `nil` sorts by id.
  public var order: String?
  public var descending: Bool
  /// The most documents to return, or `nil` for all.
  public var limit: Int?

  public init(
    filters: [Filter] = [], order: String? = nil, descending: Bool = false, limit: Int? = nil
  ) {
    self.filters = filters
    self.order = order
    self.descending = descending
    self.limit = limit
  }

  public static let all = DocumentQuery()

  /// A comparison of a top-level field with a value of the same type; documents without the field
  /// do not match.
  public struct Filter: Equatable, Codable, Sendable {
    public var field: String
    public var comparison: Comparison
    public var value: Value

    public init(_ field: String, _ comparison: Comparison, _ value: Value) {
      self.field = field
      self.comparison = comparison
      self.value = value
    }
  }

  public enum Comparison: String, Equatable, Codable, Sendable {
    case equal = "="
    case less = "<"
    case greater = ">"
  }

  public enum Value: Equatable, Codable, Sendable {
    case string(String)
    case number(Double)
    case bool(Bool)
  }
}
