extension IdentifiedArray: RandomAccessCollection {
  /// The first position: 0.
  public var startIndex: Int { elements.startIndex }

  /// The position after the last: the count.
  public var endIndex: Int { elements.endIndex }

  /// The element at a position. It is modified in place and must keep its id.
  public subscript(position: Int) -> Element {
    get { storage[position] }
    _modify {
      stamps[position] = nextStamp()
      defer { precondition(storage[position].id == ids[position], "The element has another id.") }
      yield &storage[position]
    }
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
  /// Creates an array of elements with unique ids.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Returns whether both have equal elements in the same order.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.elements == rhs.elements }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements.
  public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  /// Decodes an array of elements.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if two elements have the same id.
  public init(from decoder: any Decoder) throws {
    self.init()
    for element in try [Element](from: decoder) where !append(element).inserted {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "Two elements have the id \(element.id)."))
    }
  }
}

extension IdentifiedArray: CustomStringConvertible {
  /// A description like that of an array.
  public var description: String { elements.description }
}

extension IdentifiedArray: CustomReflectable {
  /// A mirror like that of an array.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
