import Composable

/// The title of an action in a list: the event and the feature it happened in.
struct ActionTitle: Equatable {
  /// The case of the innermost feature's action, with its associated values if they are short:
  /// `edited(.name, .insert("G"))`.
  var event: String
  /// The enclosing cases and sheets, outermost first: `main.path.ContactForm.form`.
  var path: String

  init(_ action: Any) {
    var path: [String] = []
    var action = action
    while let (name, child) = Self.child(of: action) {
      path.append(name)
      action = child
    }
    // `presented` adds nothing to its neighbours.
    self.path = path.filter { $0 != "presented" }.joined(separator: ".")
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum, let child = mirror.children.first, let name = child.label
    else {
      event = Self.trimmed(describe(action))
      return
    }
    event = Self.isShort(child.value) ? Self.trimmed(describe(action)) : name
  }

  /// The action that an action encloses, with the name of its case or sheet.
  private static func child(of action: Any) -> (name: String, action: Any)? {
    if case .element(_, let sheet) = action as? StackActionOf<SheetPath> {
      return (SheetAction.name(of: sheet.feature), sheet.action)
    }
    guard let child = Mirror(reflecting: action).children.first, let name = child.label,
      isAction(child.value)
    else { return nil }
    return (name, child.value)
  }

  /// Whether a value is the action of a feature, or a change that one brings, judging by its type name.
  private static func isAction(_ value: Any) -> Bool {
    let name = typeName(type(of: value))
    return name.hasSuffix("Action") || name.contains("Action<") || name.hasSuffix("Change")
  }

  /// Whether an associated value is short enough for a list. A whole account, for example, isn't.
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
