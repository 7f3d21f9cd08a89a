/// An optional value stored behind a reference, for a large property that is rarely set. Values
/// without it stay small, which makes a list of thousands of contacts much faster to copy and sort.
@propertyWrapper
public struct Boxed<Value: Sendable>: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private var box: Box?

  public init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

  public var wrappedValue: Value? {
    get { box?.value }
    set { box = newValue.map(Box.init) }
  }

  /// Whether there is no value; cheaper than reading it.
  public var isEmpty: Bool { box == nil }

  /// Returns a part of the value without copying the whole.
  func map<Part>(_ part: (borrowing Value) -> Part) -> Part? { box.map { part($0.value) } }
}

extension Boxed: Equatable where Value: Equatable {
  public static func == (left: Boxed, right: Boxed) -> Bool {
    left.box === right.box || left.box?.value == right.box?.value
  }
}

// Encoded like any optional value: the key is left out when there is none.

extension Boxed: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension Boxed: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Value?.self))
  }
}

extension KeyedEncodingContainer {
  mutating func encode<Value: Encodable>(_ value: Boxed<Value>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decode<Value: Decodable>(
    _ type: Boxed<Value>.Type, forKey key: Key
  ) throws -> Boxed<Value> {
    Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}
