import Clients
package import Domain
package import FoundationEssentials

/// The coding of values in requests and answers: JSON with instants in whole milliseconds since
/// 1970, as a store holds them, and with secrets in plain text.
package enum WireCoding {
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[.secretsAsTheyAre] = true
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(Int64((date.timeIntervalSince1970 * 1_000).rounded()))
    }
    return try encoder.encode(value)
  }

  /// - Parameter opener: Reads secrets that were sealed; `nil` if none may be.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, opener: SecretOpener? = nil
  ) throws -> Value {
    try decode(type, from: data, isAnswer: false, opener: opener)
  }

  /// Reads what a server answered, which may have values that only a newer program knows.
  package static func decodeAnswer<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    try decode(type, from: data, isAnswer: true)
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, isAnswer: Bool, opener: SecretOpener? = nil
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.userInfo[.secretsAsTheyAre] = true
    decoder.userInfo[.isAnswer] = isAnswer
    if let opener { decoder.userInfo[.secretOpener] = opener }
    decoder.dateDecodingStrategy = .custom { decoder in
      let milliseconds = try decoder.singleValueContainer().decode(Int64.self)
      return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
    return try decoder.decode(type, from: data)
  }

  /// Returns a value as a part of a path or a query: a text as it is, all else as JSON; `nil` for a
  /// missing one.
  static func text(of value: some Encodable) throws -> String? {
    let json = try encode(value)
    if json == Data("null".utf8) { return nil }
    return try json.first == UInt8(ascii: "\"")
      ? decode(String.self, from: json) : String(decoding: json, as: UTF8.self)
  }

  /// Reads what ``text(of:)`` wrote.
  static func value<Value: Decodable>(_ type: Value.Type, of text: String) throws -> Value {
    if let value = try? decode(type, from: encode(text)) { return value }
    return try decode(type, from: Data(text.utf8))
  }
}

/// The name of an argument, as the member of a JSON object.
struct ArgumentName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Reads an operation's arguments one after another, by their names.
struct ArgumentReader {
  /// The name of an argument that is the whole body, rather than a member of it.
  static let wholeBody = "*"

  private var names: ArraySlice<String>
  private let texts: [String: String]
  private let body: Data
  private let members: Members?

  /// - Parameter texts: The arguments of the path and the query.
  init(
    _ names: [String], texts: [String: String], body: Data, opener: SecretOpener? = nil
  ) throws {
    self.names = names[...]
    self.texts = texts
    self.body = body
    let isRead = names.contains { texts[$0] == nil && $0 != Self.wholeBody }
    guard isRead, !body.isEmpty else {
      members = nil
      return
    }
    do { members = try WireCoding.decode(Members.self, from: body, opener: opener) } catch {
      throw Route.Malformed("the body isn't a JSON object")
    }
  }

  /// Reads the next argument.
  /// - Throws: ``Route/Malformed``, or the error of a type that refuses the value.
  mutating func next<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let name = names.popFirst() else { throw Route.Malformed("too many arguments") }
    do { return try read(type, name) } catch {
      switch error {
      case is ClientError, is StorageError, is Route.Malformed: throw error
      default: throw Route.Malformed("“\(name)” can't be read")
      }
    }
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> Value {
    if name == Self.wholeBody { return try WireCoding.decode(type, from: body) }
    if let text = texts[name] { return try WireCoding.value(type, of: text) }
    let key = ArgumentName(stringValue: name)
    if let members, members.container.contains(key) {
      return try members.container.decode(type, forKey: key)
    }
    // A missing argument is `nil` if its type allows that.
    guard let optional = type as? any ExpressibleByNilLiteral.Type else {
      throw Route.Malformed("“\(name)” is missing")
    }
    return optional.init(nilLiteral: ()) as! Value
  }

  private struct Members: Decodable {
    let container: KeyedDecodingContainer<ArgumentName>
    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: ArgumentName.self)
    }
  }
}

/// Collects an operation's arguments by their names.
struct ArgumentWriter: Encodable, Sendable {
  private var names: ArraySlice<String>
  private var values: [(name: String, value: any Encodable & Sendable)] = []

  init<each Argument: Encodable & Sendable>(_ names: [String], _ argument: repeat each Argument) {
    self.names = names[...]
    repeat add(each argument)
  }

  private mutating func add(_ value: some Encodable & Sendable) { append(value) }

  mutating func append(_ value: any Encodable & Sendable) {
    guard let name = names.popFirst() else {
      preconditionFailure("a route names too few arguments")
    }
    values.append((name, value))
  }

  /// Removes an argument and returns it as a text; `nil` for a missing one.
  mutating func takeText(_ name: String) throws -> String? {
    guard let index = values.firstIndex(where: { $0.name == name }) else { return nil }
    let value = values.remove(at: index).value
    return try WireCoding.text(of: value)
  }

  /// The names of the arguments that weren't taken.
  var remaining: [String] { values.map(\.name) }

  /// Returns the arguments that are left as a body; `nil` for none.
  func body() throws -> Data? {
    if values.isEmpty { return nil }
    return try WireCoding.encode(self)
  }

  func encode(to encoder: any Encoder) throws {
    if let whole = values.first, whole.name == ArgumentReader.wholeBody {
      return try whole.value.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: ArgumentName.self)
    for (name, value) in values {
      try container.encode(value, forKey: ArgumentName(stringValue: name))
    }
  }
}
