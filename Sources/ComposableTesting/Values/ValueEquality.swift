/// Whether two values are equal: by `==` if they can be compared, else by how they look.
func areEqual(_ first: Any, _ second: Any) -> Bool {
  if let first = first as? any Equatable { return isEqual(first, second) }
  return describe(first) == describe(second)
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}

/// How to compare the elements of two lists. What type they have is found once, not per element.
func equality(of elements: [Any]) -> (Any, Any) -> Bool {
  guard let first = elements.first as? any Equatable else { return areEqual }
  return equality(like: first)
}

private func equality<Element: Equatable>(like _: Element) -> (Any, Any) -> Bool {
  { first, second in
    guard let first = first as? Element, let second = second as? Element else {
      return areEqual(first, second)
    }
    return first == second
  }
}

/// The ids of elements that are all of one type that has them.
func identities(_ elements: [Any]) -> [AnyHashable]? {
  guard let first = elements.first as? any Identifiable else { return nil }
  return identities(elements, like: first)
}

private func identities<Element: Identifiable>(
  _ elements: [Any], like _: Element
) -> [AnyHashable]? {
  var ids: [AnyHashable] = []
  ids.reserveCapacity(elements.count)
  for element in elements {
    guard let element = element as? Element else { return nil }
    ids.append(AnyHashable(element.id))
  }
  return ids
}
