import Domain

/// Why the text of an option or argument is not a valid value.
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

/// Quotes a text from outside for a message, cut to 40 characters.
func quoted(_ text: String) -> String {
  let shown = text.prefix(40)
  return shown.endIndex == text.endIndex ? "“\(shown)”" : "“\(shown)…”"
}

/// Returns a path for a message, cut to 1,000 characters.
func shownPath(_ path: String) -> String { path.count > 1_000 ? "\(path.prefix(1_000))…" : path }

extension [String] {
  /// `on or off`, `text, ansi or svg`.
  var joinedAsChoice: String {
    guard count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}
