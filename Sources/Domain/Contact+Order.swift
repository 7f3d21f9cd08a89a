import FoundationEssentials

extension [Contact] {
  /// By letters (ORD-3), then by the name as it is written, then by identity: how stores list them.
  public var byName: [Contact] {
    NameOrder.plain.sorted(self, by: \.name) { first, second in
      (first.name, first.id.uuidString) < (second.name, second.id.uuidString)
    }
  }
}
