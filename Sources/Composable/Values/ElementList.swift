/// A list whose elements are accessed one by one, so that only those that differ are looked into.
protocol ElementList {
  var count: Int { get }

  /// Returns the element at an index.
  func value(at index: Int) -> Any

  /// Returns the ids of the elements, or `nil` if not all have one.
  func identities() -> [AnyHashable]?

  /// Returns whether the elements are known to have the same ids as another list's, in the same
  /// order.
  func hasIdentities(of other: any ElementList) -> Bool

  /// Returns a function that compares an element of this list with one of another.
  func equality(with other: any ElementList) -> (_ index: Int, _ otherIndex: Int) -> Bool
}

extension Array: ElementList {
  func value(at index: Int) -> Any { self[index] }

  func identities() -> [AnyHashable]? {
    if let type = Element.self as? any Identifiable.Type { return identities(as: type) }
    var ids: [AnyHashable] = []
    for element in self {
      guard let element = element as? any Identifiable else { return nil }
      ids.append(identity(of: element))
    }
    return ids
  }

  func hasIdentities(of other: any ElementList) -> Bool {
    guard let other = other as? Self, let type = Element.self as? any Identifiable.Type else {
      return false
    }
    return hasIdentities(of: other, as: type)
  }

  private func hasIdentities<I: Identifiable>(of other: Self, as _: I.Type) -> Bool {
    // `I` is `Element`, see below.
    count == other.count
      && indices.allSatisfy {
        unsafeBitCast(self[$0], to: I.self).id == unsafeBitCast(other[$0], to: I.self).id
      }
  }

  private func identities<I: Identifiable>(as _: I.Type) -> [AnyHashable] {
    // `I` is the same type as `Element`, seen as `Identifiable`.
    map { AnyHashable(unsafeBitCast($0, to: I.self).id) }
  }

  func equality(with other: any ElementList) -> (_ index: Int, _ otherIndex: Int) -> Bool {
    if let other = other as? Self, let type = Element.self as? any Equatable.Type {
      return equality(with: other, as: type)
    }
    return { areEqual(self[$0], other.value(at: $1)) }
  }

  private func equality<E: Equatable>(
    with other: Self, as _: E.Type
  ) -> (_ index: Int, _ otherIndex: Int) -> Bool {
    // `E` is the same type as `Element`, seen as `Equatable`.
    { unsafeBitCast(self[$0], to: E.self) == unsafeBitCast(other[$1], to: E.self) }
  }
}

private func identity(of element: some Identifiable) -> AnyHashable { AnyHashable(element.id) }

extension IdentifiedArray: ElementList {
  func value(at index: Int) -> Any { elements[index] }

  func identities() -> [AnyHashable]? { ids.map { AnyHashable($0) } }

  func hasIdentities(of other: any ElementList) -> Bool { ids == (other as? Self)?.ids }

  func equality(with other: any ElementList) -> (_ index: Int, _ otherIndex: Int) -> Bool {
    elements.equality(with: (other as? Self)?.elements ?? other)
  }
}
