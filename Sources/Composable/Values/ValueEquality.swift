/// Returns whether two values are equal: by `==` if the first is `Equatable`, otherwise by their
/// descriptions.
package func areEqual(_ first: Any, _ second: Any) -> Bool {
  if let first = first as? any Equatable { return isEqual(first, second) }
  return describe(first) == describe(second)
}

/// Returns whether two values are equal by `==`; `false` if they aren't `Equatable`.
func areEqualIfComparable<Value>(_ first: Value, _ second: Value) -> Bool {
  (first as? any Equatable).map { isEqual($0, second) } ?? false
}

private func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  (second as? Value) == first
}
