package import FoundationEssentials

/// The top-level fields of a document, as every platform reads, merges and compares them.
package struct JSONObject: Equatable, Sendable {
  package var fields: [String: JSONValue]

  /// - Throws: ``StorageError/serialization(_:)`` if the text is not a JSON object.
  package init(_ json: Data) throws(StorageError) {
    do { fields = try JSONDecoder().decode([String: JSONValue].self, from: json) } catch {
      throw .serialization("a document is a JSON object")
    }
  }

  /// Replaces the fields that the other object names; a `null` removes one (RFC 7396, one level).
  package mutating func merge(_ other: JSONObject) {
    for (name, value) in other.fields { fields[name] = value == .null ? nil : value }
  }

  /// Returns the object as JSON with sorted keys.
  package func encoded() throws(StorageError) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return try encoder.encode(fields) } catch {
      throw .serialization(ErrorTransformer.summary(of: error))
    }
  }
}

/// A JSON value of any type.
package enum JSONValue: Equatable, Codable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
