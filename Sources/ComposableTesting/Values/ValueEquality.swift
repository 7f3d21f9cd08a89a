/// Whether two values are equal: by `==` if they can be compared, else by how they look.
func areEqual(_ first: Any, _ second: Any) -> Bool {
  if let first = first as? any Equatable { return isEqual(first, second) }
  return describe(first) == describe(second)
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}

/// The ids of elements that all have one, if they are all different.
func identities(_ elements: [Any]) -> [AnyHashable]? {
  var ids: [AnyHashable] = []
  ids.reserveCapacity(elements.count)
  for element in elements {
    guard let element = element as? any Identifiable else { return nil }
    ids.append(identity(element))
  }
  return Set(ids).count == ids.count ? ids : nil
}

private func identity(_ element: some Identifiable) -> AnyHashable { AnyHashable(element.id) }
