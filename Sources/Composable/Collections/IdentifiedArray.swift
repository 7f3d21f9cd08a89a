import Synchronization

/// An ordered collection of elements with unique ids, with constant-time access by id.
///
/// A value type with copy-on-write. Inserting or removing takes O(n), except at the end.
public struct IdentifiedArray<ID: Hashable, Element: Identifiable> where Element.ID == ID {
  @usableFromInline var storage: [Element] = []
  /// The ids, in the order of the elements.
  public private(set) var ids: [ID] = []
  @usableFromInline var positions: [ID: Int] = [:]
  /// A new number for each change of each element, which shows what has changed without comparing
  /// elements. Not part of the array's value.
  @usableFromInline var stamps: [UInt64] = []

  /// The elements, in order.
  public var elements: [Element] { storage }

  /// Creates an empty array.
  public init() {}

  /// Creates an array of elements.
  ///
  /// Ids must be unique. Of two elements with the same id, the first is kept and the second is
  /// reported as an issue.
  public init(
    uniqueElements elements: some Sequence<Element>, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) {
    for element in elements where !append(element).inserted {
      reportIssue(
        "Two elements have the id \(element.id). The second was left out.",
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }

  /// The element with an id. Setting `nil` removes it; setting an element with a new id appends it.
  ///
  /// The element is modified in place, without a copy. Setting an element with a different id
  /// traps.
  public subscript(id id: ID) -> Element? {
    get { positions[id].map { elements[$0] } }
    _modify {
      var element = take(id: id)
      defer { putBack(element, id: id) }
      yield &element
    }
  }

  /// Moves an element out, so that it is uniquely referenced, until `putBack`. In the meantime the
  /// last element takes its position.
  mutating func take(id: ID) -> Element? {
    guard let position = positions[id] else { return nil }
    storage.swapAt(position, storage.count - 1)
    return storage.removeLast()
  }

  /// Puts an element back where `take` found it, or appends a new one; `nil` removes the element.
  mutating func putBack(_ element: Element?, id: ID) {
    precondition(element == nil || element!.id == id, "The element has another id.")
    switch (positions[id], element) {
    case (nil, nil): break
    case (nil, let element?): append(element)
    case (let position?, let element?):
      storage.append(element)
      storage.swapAt(position, storage.count - 1)
      stamps[position] = nextStamp()
    case (let position?, nil):
      if position < storage.count { storage.append(storage.remove(at: position)) }
      removeID(at: position)
    }
  }

  /// Modifies the element with an id in place, without a copy. The element must keep its id.
  ///
  /// - Returns: The result of the closure, or `nil` if no element has the id.
  @inlinable
  @discardableResult
  public mutating func modify<Result>(
    id: ID, _ change: (inout Element) throws -> Result
  ) rethrows -> Result? {
    guard let position = positions[id] else { return nil }
    stamps[position] = nextStamp()
    defer { precondition(storage[position].id == id, "The element has another id.") }
    return try change(&storage[position])
  }

  /// Returns the position of the element with an id, or `nil` if there is none.
  @inlinable
  public func index(id: ID) -> Int? { positions[id] }

  /// Returns whether an element has an id.
  @inlinable
  public func contains(id: ID) -> Bool { positions[id] != nil }

  /// Appends an element if its id is new.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: elements.count)
  }

  /// Appends the elements whose ids are new.
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Inserts an element if its id is new. O(n), except at the end.
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    let id = element.id
    if let existing = positions[id] { return (false, existing) }
    storage.insert(element, at: index)
    ids.insert(id, at: index)
    stamps.insert(nextStamp(), at: index)
    renumber(from: index)
    return (true, index)
  }

  /// Replaces the element with the same id, or appends a new one.
  ///
  /// - Returns: The element that was replaced, or `nil`.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let position = positions[element.id] else {
      append(element)
      return nil
    }
    let old = storage[position]
    storage[position] = element
    stamps[position] = nextStamp()
    return old
  }

  /// Removes the element with an id. O(n).
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    positions[id].map { remove(at: $0) }
  }

  /// Removes the element at a position. O(n).
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = storage.remove(at: index)
    removeID(at: index)
    return element
  }

  /// Removes the bookkeeping of an element that was taken out of a position.
  private mutating func removeID(at index: Int) {
    positions[ids.remove(at: index)] = nil
    stamps.remove(at: index)
    renumber(from: index)
  }

  /// Removes the elements at some positions, given as an `IndexSet` or an array, for example. O(n).
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let removed = Set(offsets)
    for index in removed { positions[ids[index]] = nil }
    let kept = storage.indices.filter { !removed.contains($0) }
    storage = kept.map { storage[$0] }
    ids = kept.map { ids[$0] }
    stamps = kept.map { stamps[$0] }
    renumber(from: 0)
  }

  /// Removes the elements that satisfy a condition. O(n).
  public mutating func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
    let kept = try elements.filter { try !shouldRemove($0) }
    guard kept.count < elements.count else { return }
    removeAll()
    append(contentsOf: kept)
  }

  /// Removes all elements.
  public mutating func removeAll() {
    storage.removeAll(keepingCapacity: true)
    ids.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    stamps.removeAll(keepingCapacity: true)
  }

  /// Sorts the elements. O(n log n).
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    let sorted = try elements.sorted(by: areInIncreasingOrder)
    storage = sorted
    ids = sorted.map(\.id)
    stamps = ids.map { _ in nextStamp() }
    renumber(from: 0)
  }

  /// Moves the element at one position to another. O(n).
  public mutating func move(from source: Int, to destination: Int) {
    storage.insert(storage.remove(at: source), at: destination)
    ids.insert(ids.remove(at: source), at: destination)
    stamps.insert(stamps.remove(at: source), at: destination)
    renumber(from: Swift.min(source, destination))
  }

  /// Swaps two elements. O(1).
  public mutating func swapAt(_ first: Int, _ second: Int) {
    storage.swapAt(first, second)
    ids.swapAt(first, second)
    stamps.swapAt(first, second)
    positions[ids[first]] = first
    positions[ids[second]] = second
  }

  /// Reverses the order. O(n).
  public mutating func reverse() {
    storage.reverse()
    ids.reverse()
    stamps.reverse()
    renumber(from: 0)
  }

  private mutating func renumber(from start: Int) {
    for index in start..<ids.count { positions[ids[index]] = index }
  }
}

@usableFromInline
func nextStamp() -> UInt64 { lastStamp.wrappingAdd(1, ordering: .relaxed).newValue }

private let lastStamp = Atomic<UInt64>(0)

extension IdentifiedArray: Sendable where ID: Sendable, Element: Sendable {}

/// An identified array keyed by the elements' own ids.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

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
