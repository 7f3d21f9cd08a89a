/// Whether two values are equal: by `==` if they can be compared, else by how they look.
package func areEqual(_ first: Any, _ second: Any) -> Bool {
  if let first = first as? any Equatable { return isEqual(first, second) }
  return describe(first) == describe(second)
}

/// Whether two values are known to be equal: not, if they cannot be compared.
func areEqualIfComparable<Value>(_ first: Value, _ second: Value) -> Bool {
  (first as? any Equatable).map { isEqual($0, second) } ?? false
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}
