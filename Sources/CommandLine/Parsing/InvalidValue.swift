import Domain

/// Why the text of an option or argument is not the value that it should be.
struct InvalidValue: Error, Equatable {
  /// A sentence.
  var reason: String
  /// What to write instead, or `nil`.
  var advice: String?

  init(_ reason: String, advice: String? = nil) {
    self.reason = reason
    self.advice = advice
  }

  init(_ error: ValidationError) {
    self.init(error.errorDescription, advice: error.recoverySuggestion)
  }
}

/// Reads a value by a rule of the product.
func byRule<Value>(
  _ rule: @escaping @Sendable (String) throws(ValidationError) -> Value
) -> @Sendable (String) throws(InvalidValue) -> Value {
  { (text: String) throws(InvalidValue) in
    do throws(ValidationError) { return try rule(text) } catch { throw InvalidValue(error) }
  }
}

/// Reads one of a few words, and suggests the nearest where it is none of them.
func byName<Value: CaseIterable & RawRepresentable & Sendable>(
  _ type: Value.Type
) -> @Sendable (String) throws(InvalidValue) -> Value where Value.RawValue == String {
  { (text: String) throws(InvalidValue) in
    if let value = Value(rawValue: text) { return value }
    let names = Value.allCases.map(\.rawValue)
    let suggestion = Suggestion.nearest(to: text, among: names).map { "Did you mean “\($0)”? " }
    throw InvalidValue(
      "\(quoted(text)) is none of its values.",
      advice: "\(suggestion ?? "")Write \(names.joinedAsChoice).")
  }
}

/// A text from outside as it is shown in a message: in quotation marks, at most 40 characters.
func quoted(_ text: String) -> String {
  let shown = text.prefix(40)
  return shown.endIndex == text.endIndex ? "“\(shown)”" : "“\(shown)…”"
}

/// A path as it is shown in a message: whole, unless it is longer than anybody's.
func shownPath(_ path: String) -> String { path.count > 1_000 ? "\(path.prefix(1_000))…" : path }

extension [String] {
  /// `on or off`, `text, ansi or svg`.
  var joinedAsChoice: String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}
