import Synchronization

/// Returns a value on one line, as written in Swift: `.rows(.element(id: 1, action: .tapped))`.
public func describe(_ value: Any) -> String { describe(reflected: ReflectedValue(value)) }

/// - Parameter objects: The objects that contain the value. They aren't described again inside it.
private func describe(
  _ value: Any, in objects: Set<ObjectIdentifier>
) -> String { describe(reflected: ReflectedValue(value), in: objects) }

private func describe(
  reflected value: ReflectedValue, in objects: Set<ObjectIdentifier> = []
) -> String {
  switch value {
  case .text(let text): return text
  case .string(let string): return string.debugDescription
  case .nil(let wrappings):
    return String(repeating: ".some(", count: wrappings) + "nil"
      + String(repeating: ")", count: wrappings)
  case .composite(let name, let parts, let object):
    if parts.isEmpty, name.hasPrefix(".") { return name }
    if let object, objects.contains(object) { return "\(name)(…)" }
    let objects = objects.union(object.map { [$0] } ?? [])
    let list = parts.map { part in
      (part.label.map { "\($0): " } ?? "") + describe(part.value, in: objects)
    }
    return "\(name)(\(list.joined(separator: ", ")))"
  case .array(let elements):
    let list = (0..<elements.count).map { describe(elements.value(at: $0), in: objects) }
    return "[\(list.joined(separator: ", "))]"
  case .set(let elements):
    let list = elements.map { describe($0, in: objects) }.sorted()
    return "Set([\(list.joined(separator: ", "))])"
  case .dictionary(let pairs):
    guard !pairs.isEmpty else { return "[:]" }
    let list = pairs.map { "\(describe($0.key, in: objects)): \(describe($0.value, in: objects))" }
    return "[\(list.sorted().joined(separator: ", "))]"
  }
}

/// Returns a value as lines, one for each part.
package func lines(of value: Any) -> [String] { lines(of: value, in: []) }

private func lines(of value: Any, in objects: Set<ObjectIdentifier>) -> [String] {
  lines(reflected: ReflectedValue(value), in: objects)
}

func lines(reflected value: ReflectedValue, in objects: Set<ObjectIdentifier> = []) -> [String] {
  switch value {
  case .text, .nil: return [describe(reflected: value)]
  case .string(let string):
    guard string.contains("\n") else { return [string.debugDescription] }
    return ["\"\"\""]
      + string.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      + ["\"\"\""]
  case .composite(let name, let parts, let object):
    if parts.isEmpty { return [name.hasPrefix(".") ? name : "\(name)()"] }
    if let object, objects.contains(object) { return ["\(name)(…)"] }
    let objects = objects.union(object.map { [$0] } ?? [])
    return block(
      "\(name)(", parts.map { labelled($0.label, lines(of: $0.value, in: objects)) }, ")")
  case .array(let elements):
    if elements.count == 0 { return ["[]"] }
    let items = (0..<elements.count).map {
      labelled("[\($0)]", lines(of: elements.value(at: $0), in: objects))
    }
    return block("[", items, "]")
  case .set(let elements):
    if elements.isEmpty { return ["Set([])"] }
    let items = elements.map { lines(of: $0, in: objects) }
    return block("Set([", items.sorted { $0.lexicographicallyPrecedes($1) }, "])")
  case .dictionary(let pairs):
    if pairs.isEmpty { return ["[:]"] }
    let items = pairs.map {
      labelled(describe($0.key, in: objects), lines(of: $0.value, in: objects))
    }
    return block("[", items.sorted { $0.lexicographicallyPrecedes($1) }, "]")
  }
}

/// Returns lines with a label before the first.
func labelled(_ label: String?, _ lines: [String]) -> [String] {
  guard let label, let first = lines.first else { return lines }
  return ["\(label): \(first)"] + lines.dropFirst()
}

private func block(_ open: String, _ items: [[String]], _ close: String) -> [String] {
  var result = [open]
  for (index, item) in items.enumerated() {
    var item = item
    if index < items.count - 1 { item[item.count - 1] += "," }
    result += item.map { "  \($0)" }
  }
  return result + [close]
}

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
