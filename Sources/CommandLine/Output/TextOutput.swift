import Terminal

/// Where text goes: standard output, standard error, or a test's memory.
public struct TextOutput: Sendable {
  /// Writes all of it, at once where the system takes it at once.
  /// - Returns: the reason in the system's words when it could not be written, else `nil`.
  public var write: @Sendable (String) -> String?
  /// How wide the terminal is that it goes to; `nil` where it goes anywhere else.
  public var columns: @Sendable () -> Int? = { nil }

  /// A line as it is written, with its end: a terminal breaks it between words only.
  func line(_ text: String) -> String {
    (columns().map(text.sanitized.brokenBetweenWords) ?? text.sanitized) + "\n"
  }
}

extension String {
  /// The line in lines of at most so many columns. A word that is longer stays whole, so that it can be
  /// copied.
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
