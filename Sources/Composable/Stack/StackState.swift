import Synchronization

/// A navigation stack of features. The last element is the one on screen.
///
/// Each element has an id that is never reused, so an action meant for one element can't reach
/// another in the same place.
public struct StackState<Element> {
  fileprivate var elements: IdentifiedArray<StackElementID, Entry> = []

  fileprivate struct Entry: Identifiable {
    let id: StackElementID
    var element: Element
  }

  /// Creates an empty stack.
  public init() {}

  /// Creates a stack of elements, the last one on top.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// The ids, from bottom to top.
  public var ids: [StackElementID] { elements.ids }

  /// The element with an id. Setting `nil` removes this element and no other. Setting an element
  /// for an unknown id puts it on top.
  public subscript(id id: StackElementID) -> Element? {
    get { elements[id: id]?.element }
    _modify {
      var entry = elements.take(id: id)
      var element = entry.take()?.element
      defer { elements.putBack(element.map { Entry(id: id, element: $0) }, id: id) }
      yield &element
    }
  }

  /// Modifies the element with an id in place.
  ///
  /// - Returns: The result of the closure, or `nil` if no element has the id.
  @discardableResult
  public mutating func modify<Result>(
    id: StackElementID, _ change: (inout Element) throws -> Result
  ) rethrows -> Result? {
    try elements.modify(id: id) { try change(&$0.element) }
  }

  /// Puts an element on top and returns its id.
  @discardableResult
  public mutating func append(_ element: Element) -> StackElementID {
    var id = DependencyValues.current.stackElementID.make()
    // A stack can have elements from before the store, whose ids were counted elsewhere.
    while elements.index(id: id) != nil { id = DependencyValues.current.stackElementID.make() }
    elements.append(Entry(id: id, element: element))
    return id
  }

  /// Removes and returns the top element.
  @discardableResult
  public mutating func popLast() -> Element? {
    elements.ids.last.flatMap { elements.remove(id: $0)?.element }
  }

  /// Removes an element and all above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = elements.index(id: id) else { return }
    while elements.count > index { popLast() }
  }

  /// Removes all elements above the given one.
  public mutating func pop(to id: StackElementID) {
    guard let index = elements.index(id: id) else { return }
    while elements.count > index + 1 { popLast() }
  }

  /// Removes all elements.
  public mutating func removeAll() { elements.removeAll() }
}

extension StackState: RandomAccessCollection {
  /// The position of the bottom element: 0.
  public var startIndex: Int { 0 }

  /// The position after the top element: the count.
  public var endIndex: Int { elements.count }

  /// The element at a position. An element that replaces it takes over its id.
  public subscript(position: Int) -> Element {
    get { elements[position].element }
    _modify { yield &elements[position].element }
  }
}

extension StackState {
  /// Swaps two elements. Each keeps its id.
  public mutating func swapAt(_ first: Int, _ second: Int) { elements.swapAt(first, second) }

  /// Reverses the order, so that the bottom becomes the top. Each element keeps its id.
  public mutating func reverse() { elements.reverse() }

  /// Removes the elements at some positions, and no others. O(n).
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    elements.remove(atOffsets: offsets)
  }
}

extension StackState: Encodable where Element: Encodable {
  /// Encodes the elements, from bottom to top. Ids aren't encoded, as they are valid only in this
  /// run of the program.
  public func encode(to encoder: any Encoder) throws {
    try elements.map(\.element).encode(to: encoder)
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Decodes elements, from bottom to top, and gives them new ids.
  public init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension StackState: ExpressibleByArrayLiteral {
  /// Creates a stack of elements, the last one on top.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StackState.Entry: Equatable where Element: Equatable {}
extension StackState.Entry: Hashable where Element: Hashable {}
extension StackState.Entry: Sendable where Element: Sendable {}
extension StackState: Equatable where Element: Equatable {}
extension StackState: Hashable where Element: Hashable {}
extension StackState: Sendable where Element: Sendable {}

extension StackState: CustomReflectable {
  /// The elements with their ids, displayed as a dictionary.
  public var customMirror: Mirror {
    Mirror(
      self, unlabeledChildren: elements.map { (key: $0.id, value: $0.element) },
      displayStyle: .dictionary)
  }
}

/// The id of a stack element, unique among all elements that were ever on a stack in the same
/// program or test. In a test the ids start at 0.
public struct StackElementID: Hashable, Sendable {
  /// The number of the id. Ids are numbered in the order of creation.
  public let number: UInt64

  /// Creates an id from a number.
  public init(_ number: UInt64) { self.number = number }
}

extension StackElementID: ExpressibleByIntegerLiteral {
  /// Creates an id from a number.
  public init(integerLiteral number: UInt64) { self.init(number) }
}

extension StackElementID: Codable {
  /// Decodes the number.
  public init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(UInt64.self)
  }

  /// Encodes the number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

extension StackElementID: CustomStringConvertible {
  /// The number after a hash sign: `#0`.
  public var description: String { "#\(number)" }
}

extension StackElementID: CustomReflectable {
  /// A mirror without children, so that the id is shown by its description.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Generates unique ids for stack elements.
package final class StackElementIDGenerator: Sendable {
  private let number: Atomic<UInt64>

  package init(from first: UInt64 = 0) { number = Atomic(first) }

  /// The number of the next id.
  package var next: UInt64 { number.load(ordering: .relaxed) }

  func make() -> StackElementID {
    StackElementID(number.wrappingAdd(1, ordering: .relaxed).oldValue)
  }
}

extension DependencyValues {
  /// Generates the ids of stack elements.
  package var stackElementID: StackElementIDGenerator {
    get { self[StackElementIDKey.self] }
    set { self[StackElementIDKey.self] = newValue }
  }

  private enum StackElementIDKey: DependencyKey {
    static let liveValue = StackElementIDGenerator()
    static var testValue: StackElementIDGenerator { StackElementIDGenerator() }
  }
}
