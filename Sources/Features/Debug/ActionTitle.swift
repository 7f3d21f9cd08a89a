import Composable

/// An action as a list shows it: what happened, and in which feature.
struct ActionTitle: Equatable {
  /// The case of the innermost feature's action, with what it carries if that is short:
  /// `edited(.name, .insert("G"))`.
  var event: String
  /// The cases around it, from the outside in: `main.responders.destination.form`.
  var path: String

  init(_ action: Any) {
    var path: [String] = []
    var action = action
    while let child = Mirror(reflecting: action).children.first, let name = child.label,
      Self.isAction(child.value)
    {
      path.append(name)
      action = child.value
    }
    // The case `presented` says nothing that its neighbours do not say.
    self.path = path.filter { $0 != "presented" }.joined(separator: ".")
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum, let child = mirror.children.first, let name = child.label
    else {
      event = Self.trimmed(describe(action))
      return
    }
    event = Self.isShort(child.value) ? Self.trimmed(describe(action)) : name
  }

  /// Whether a value is the action of a feature, by the convention for their names.
  private static func isAction(_ value: Any) -> Bool {
    let name = typeName(type(of: value))
    return name.hasSuffix("Action") || name.contains("Action<")
  }

  /// Whether what a case carries is worth to be shown in a list; a whole account is not.
  private static func isShort(_ payload: Any) -> Bool {
    let mirror = Mirror(reflecting: payload)
    switch mirror.displayStyle {
    case nil, .enum: return true
    case .tuple: return mirror.children.allSatisfy { isShort($0.value) }
    case .optional: return mirror.children.allSatisfy { isShort($0.value) }
    default: return payload is any CustomStringConvertible && mirror.children.isEmpty
    }
  }

  private static func trimmed(_ text: String) -> String {
    text.hasPrefix(".") ? String(text.dropFirst()) : text
  }
}
