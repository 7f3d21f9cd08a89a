/// A value in the form in which failures show it: text, or a name with parts.
enum ReflectedValue {
  /// Text shown as it is.
  case text(String)
  /// A string, shown in quotes.
  case string(String)
  /// The absence of a value, in this many further optionals: `nil`, `.some(nil)`.
  case `nil`(wrappings: Int = 0)
  /// A struct, class, tuple or enum case: `State(count: 1)`, `.child(.tapped)`.
  ///
  /// `object` is the identity of a class instance, which can contain itself.
  case composite(name: String, parts: [Part], object: ObjectIdentifier? = nil)
  case array(any ElementList)
  case set([Any])
  case dictionary([(key: Any, value: Any)])

  struct Part {
    let label: String?
    let value: Any
  }

  /// Reflects a value. An optional is shown as the value that it wraps.
  init(_ value: Any) {
    let type = type(of: value)
    if type == String.self {
      self = .string(value as! String)
    } else if let type = describingType(type) {
      self = .text(descriptionInFailures(of: value, as: type))
    } else {
      self.init(reflecting: value, as: Mirror(reflecting: value))
    }
  }

  private init(reflecting value: Any, as mirror: Mirror) {
    switch mirror.displayStyle {
    case .optional:
      guard let child = mirror.children.first else {
        self = .nil()
        return
      }
      self.init(child.value)
      if case .nil(let wrappings) = self { self = .nil(wrappings: wrappings + 1) }
    case .collection:
      // Cast only collections, because a failing cast is expensive.
      self = .array(value as? any ElementList ?? mirror.children.map(\.value) as [Any])
    case .set: self = .set(mirror.children.map(\.value))
    case .dictionary:
      self = .dictionary(
        mirror.children.compactMap { child in
          let pair = Mirror(reflecting: child.value).children.map(\.value)
          return pair.count == 2 ? (pair[0], pair[1]) : nil
        })
    case .enum:
      guard let child = mirror.children.first, let label = child.label else {
        // By its name, even if the type describes itself: two cases can have one description.
        self = .text("." + (enumCaseName(value).map { String(cString: $0) } ?? "\(value)"))
        return
      }
      self = .composite(name: ".\(label)", parts: Self.payload(child.value))
    case .tuple: self = .composite(name: "", parts: Self.parts(mirror))
    case .class where value is AnyKeyPath: self = .text("\(value)")
    case .struct, .class:
      let parts = Self.parts(mirror)
      self =
        parts.isEmpty && value is any CustomStringConvertible
        ? .text("\(value)")
        // The mirror's type, so that a value reflected as another one gets the other's name.
        : .composite(
          name: typeName(mirror.subjectType), parts: parts,
          object: mirror.displayStyle == .class ? ObjectIdentifier(value as AnyObject) : nil)
    default:
      self = .text((value as? any Any.Type).map { "\(typeName($0)).self" } ?? "\(value)")
    }
  }

  /// Returns the associated values of an enum case.
  private static func payload(_ value: Any) -> [Part] {
    let mirror = Mirror(reflecting: value)
    // Several values form a tuple, with their labels; a single value has no label.
    return mirror.displayStyle == .tuple ? parts(mirror) : [Part(label: nil, value: value)]
  }

  private static func parts(_ mirror: Mirror) -> [Part] {
    var parts: [Part] = []
    if let base = mirror.superclassMirror { parts += Self.parts(base) }
    for child in mirror.children {
      // `_name` is the storage of a property wrapper, `.0` an unlabelled element of a tuple.
      let label = child.label.flatMap { label -> String? in
        if label.hasPrefix(".") { return nil }
        return label.hasPrefix("_") ? String(label.dropFirst()) : label
      }
      parts.append(Part(label: label, value: child.value))
    }
    return parts
  }
}

/// Returns the name of an enum's case; `nil` if the value isn't a Swift enum. `Mirror` has no name of
/// a case without associated values.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
