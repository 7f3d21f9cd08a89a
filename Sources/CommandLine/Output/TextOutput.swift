import Terminal

/// A destination for text: standard output, standard error, or a test's memory.
public struct TextOutput: Sendable {
  /// Writes the text, in a single write if the system allows it.
  /// - Returns: The system's reason if it failed, otherwise `nil`.
  public var write: @Sendable (String) -> String?
  /// The width of the terminal; `nil` if the output is not a terminal.
  public var columns: @Sendable () -> Int? = { nil }

  /// Returns a line with its end. For a terminal, it is broken between words.
  func line(_ text: String) -> String {
    (columns().map(text.sanitized.brokenBetweenWords) ?? text.sanitized) + "\n"
  }
}

extension String {
  /// Breaks the line into lines of at most `columns` columns. A longer word stays whole, so that it
  /// can be copied.
  func brokenBetweenWords(_ columns: Int) -> String {
    guard self.columns > columns else { return self }
    var text = ""
    var width = 0
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let more = String(word).columns
      if text.isEmpty {
        text += word
        width = more
      } else if width + 1 + more > columns {
        text += "\n\(word)"
        width = more
      } else {
        text += " \(word)"
        width += 1 + more
      }
    }
    return text
  }
}
