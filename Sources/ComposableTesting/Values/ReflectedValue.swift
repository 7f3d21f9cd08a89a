import Composable
import FoundationEssentials

/// A value as it is shown in a failure: text, or a name with parts.
enum ReflectedValue {
  /// Text that is shown as it is.
  case text(String)
  /// A string, shown in quotes.
  case string(String)
  case `nil`
  /// A struct, class, tuple or enum case: `State(count: 1)`, `.child(.tapped)`.
  case composite(name: String, parts: [Part])
  case array([Any])
  case set([Any])
  case dictionary([(key: Any, value: Any)])

  struct Part {
    let label: String?
    let value: Any
  }

  /// Looks into a value. Optionals are looked through.
  init(_ value: Any) {
    switch value {
    case let string as String: self = .string(string)
    case let character as Character: self = .string(String(character))
    case is Date, is UUID, is URL, is Data, is Duration: self = .text("\(value)")
    case let type as any Any.Type: self = .text("\(typeName(type)).self")
    default: self.init(reflecting: value, as: Mirror(reflecting: value))
    }
  }

  private init(reflecting value: Any, as mirror: Mirror) {
    switch mirror.displayStyle {
    case .optional:
      guard let child = mirror.children.first else {
        self = .nil
        return
      }
      self.init(child.value)
    case .collection: self = .array(mirror.children.map(\.value))
    case .set: self = .set(mirror.children.map(\.value))
    case .dictionary:
      self = .dictionary(
        mirror.children.compactMap { child in
          let pair = Mirror(reflecting: child.value).children.map(\.value)
          return pair.count == 2 ? (pair[0], pair[1]) : nil
        })
    case .enum:
      guard let child = mirror.children.first, let label = child.label else {
        self = .text(".\(value)")
        return
      }
      self = .composite(name: ".\(label)", parts: Self.payload(child.value))
    case .tuple: self = .composite(name: "", parts: Self.parts(mirror))
    case .struct, .class:
      let parts = Self.parts(mirror)
      self =
        parts.isEmpty && value is any CustomStringConvertible
        ? .text("\(value)") : .composite(name: typeName(type(of: value)), parts: parts)
    default: self = .text("\(value)")
    }
  }

  /// The associated values of an enum case.
  private static func payload(_ value: Any) -> [Part] {
    let mirror = Mirror(reflecting: value)
    // A tuple with labels shows them; a single value has none.
    return mirror.displayStyle == .tuple ? parts(mirror) : [Part(label: nil, value: value)]
  }

  private static func parts(_ mirror: Mirror) -> [Part] {
    var parts: [Part] = []
    if let base = mirror.superclassMirror { parts += Self.parts(base) }
    for child in mirror.children {
      // `_name` is the storage of a property wrapper, `.0` an unlabelled part of a tuple.
      let label = child.label.flatMap { label -> String? in
        if label.hasPrefix(".") { return nil }
        return label.hasPrefix("_") ? String(label.dropFirst()) : label
      }
      parts.append(Part(label: label, value: child.value))
    }
    return parts
  }
}

/// The name of a type without its module and without what the compiler adds for private types.
func typeName(_ type: any Any.Type) -> String {
  let parts = String(reflecting: type).split(separator: ".", omittingEmptySubsequences: true)
  let visible = parts.filter { !$0.hasPrefix("(unknown context") }
  guard visible.count > 1, !visible.contains(where: { $0.contains("<") }) else {
    return "\(type)"
  }
  return visible.dropFirst().joined(separator: ".")
}
