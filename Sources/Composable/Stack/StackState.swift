/// The features that a person has gone through, one over the other; the last is what is seen.
///
/// Each element has an id that never comes back, so that nothing meant for one reaches another in
/// the same place.
public struct StackState<Element> {
  fileprivate var elements: IdentifiedArray<StackElementID, Entry> = []

  fileprivate struct Entry: Identifiable {
    let id: StackElementID
    var element: Element
  }

  /// Makes an empty stack.
  public init() {}

  /// Makes a stack of elements, the last on top.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// The ids, from the bottom to the top.
  public var ids: [StackElementID] { elements.ids }

  /// The element of an id. Setting `nil` takes it out, and only it; setting an element of a new id
  /// puts it on top.
  public subscript(id id: StackElementID) -> Element? {
    get { elements[id: id]?.element }
    _modify {
      var entry = elements.take(id: id)
      var element = entry.take()?.element
      defer { elements.putBack(element.map { Entry(id: id, element: $0) }, id: id) }
      yield &element
    }
  }

  /// Changes the element of an id in place.
  ///
  /// - Returns: What the change returns, or `nil` if there is no such element.
  @discardableResult
  public mutating func modify<Result>(
    id: StackElementID, _ change: (inout Element) throws -> Result
  ) rethrows -> Result? {
    try elements.modify(id: id) { try change(&$0.element) }
  }

  /// Puts an element on top.
  @discardableResult
  public mutating func append(_ element: Element) -> StackElementID {
    let id = DependencyValues.current.stackElementID.make()
    elements.append(Entry(id: id, element: element))
    return id
  }

  /// Takes the top off.
  @discardableResult
  public mutating func popLast() -> Element? {
    elements.ids.last.flatMap { elements.remove(id: $0)?.element }
  }

  /// Takes off an element and all above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = elements.index(id: id) else { return }
    while elements.count > index { popLast() }
  }

  /// Takes off all above an element.
  public mutating func pop(to id: StackElementID) {
    guard let index = elements.index(id: id) else { return }
    while elements.count > index + 1 { popLast() }
  }

  /// Takes off all.
  public mutating func removeAll() { elements.removeAll() }
}

extension StackState: RandomAccessCollection {
  /// The position of the bottom: 0.
  public var startIndex: Int { 0 }

  /// The position after the top: the count.
  public var endIndex: Int { elements.count }

  /// The element at a position. One that is put in its place has its id.
  public subscript(position: Int) -> Element {
    get { elements[position].element }
    _modify { yield &elements[position].element }
  }
}

extension StackState {
  /// Lets two elements change places. Each keeps its id.
  public mutating func swapAt(_ first: Int, _ second: Int) { elements.swapAt(first, second) }

  /// Turns the order round: the bottom becomes the top. Each element keeps its id.
  public mutating func reverse() { elements.reverse() }

  /// Takes out the elements at some positions, and only them. O(n).
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    elements.remove(atOffsets: offsets)
  }
}

extension StackState: Encodable where Element: Encodable {
  /// Encodes the elements, from the bottom to the top. Their ids are of this program's run only.
  public func encode(to encoder: any Encoder) throws {
    try elements.map(\.element).encode(to: encoder)
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Decodes elements, from the bottom to the top. They get new ids.
  public init(from decoder: any Decoder) throws { self.init(try [Element](from: decoder)) }
}

extension StackState: ExpressibleByArrayLiteral {
  /// Makes a stack of elements, the last on top.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension StackState.Entry: Equatable where Element: Equatable {}
extension StackState.Entry: Hashable where Element: Hashable {}
extension StackState.Entry: Sendable where Element: Sendable {}
extension StackState: Equatable where Element: Equatable {}
extension StackState: Hashable where Element: Hashable {}
extension StackState: Sendable where Element: Sendable {}

extension StackState: CustomReflectable {
  /// The elements with their ids, as of a dictionary.
  public var customMirror: Mirror {
    Mirror(
      self, unlabeledChildren: elements.map { (key: $0.id, value: $0.element) },
      displayStyle: .dictionary)
  }
}
