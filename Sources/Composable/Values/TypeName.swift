import Synchronization

/// The name of a type without its module and without what the compiler adds for private types.
package func typeName(_ type: any Any.Type) -> String {
  let id = ObjectIdentifier(type)
  if let name = names.withLock({ $0[id] }) { return name }
  let name = makeTypeName(type)
  names.withLock { $0[id] = name }
  return name
}

/// Names that were made before: making one takes longer than all the rest of a small difference.
private let names = Mutex<[ObjectIdentifier: String]>([:])

private func makeTypeName(_ type: any Any.Type) -> String {
  let parts = String(reflecting: type).split(separator: ".")
  let visible = parts.filter { !$0.hasPrefix("(unknown context") }
  guard visible.count > 1, !visible.contains(where: { $0.contains("<") }) else {
    return "\(type)"
  }
  return visible.dropFirst().joined(separator: ".")
}
