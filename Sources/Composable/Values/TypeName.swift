import Synchronization

/// Returns the name of a type without its module and without the context that the compiler adds for
/// a private type.
package func typeName(_ type: any Any.Type) -> String {
  let id = ObjectIdentifier(type)
  if let name = names.withLock({ $0[id] }) { return name }
  let name = makeTypeName(type)
  names.withLock { $0[id] = name }
  return name
}

/// A cache, because making a name takes longer than the rest of a small difference.
private let names = Mutex<[ObjectIdentifier: String]>([:])

private func makeTypeName(_ type: any Any.Type) -> String {
  let parts = String(reflecting: type).split(separator: ".")
  let visible = parts.filter { !$0.hasPrefix("(unknown context") }
  guard visible.count > 1, !visible.contains(where: { $0.contains("<") }) else {
    return "\(type)"
  }
  return visible.dropFirst().joined(separator: ".")
}
