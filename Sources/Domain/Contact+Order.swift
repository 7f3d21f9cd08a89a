public import FoundationEssentials

extension [Contact] {
  /// The contacts as stores list them: by letters (ORD-3), then by the exact name, then by
  /// identity.
  public var byName: [Contact] { NameOrder.plain.listed(self, by: \.name) }
}

extension NameOrder {
  /// Returns values in the order in which contacts are listed. Names that compare as equal are
  /// ordered by letters, then by their exact text, then by identity.
  public func listed<Value: Identifiable>(
    _ values: [Value], by name: (Value) -> String
  ) -> [Value] where Value.ID == UUID {
    sorted(values, by: name) { first, second in
      let names = (name(first), name(second))
      if isOfLanguage {
        let keys = (NameOrder.plain.key(of: names.0), NameOrder.plain.key(of: names.1))
        if keys.0 != keys.1 { return keys.0.lexicographicallyPrecedes(keys.1) }
      }
      return (names.0, first.id.uuidString) < (names.1, second.id.uuidString)
    }
  }
}
