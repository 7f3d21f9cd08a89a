import Domain

/// The short form for a phone's lock screen, without the greeting and the footer.
extension MessageText {
  struct Short: Equatable {
    var title: String
    /// What the recipient can do.
    var action: String
    /// The remaining paragraphs; can be empty.
    var rest: String

    /// Everything but the title.
    var text: String { rest.isEmpty ? action : action + "\n\n" + rest }
  }

  var short: Short {
    let filled = subjectAndBody
    let message = filled.body.parts(between: "\n-- \n").first ?? ""
    var paragraphs = message.parts(between: "\n\n").map { $0.trimmingNewlines }
    paragraphs.removeAll { $0.isEmpty || ($0.hasPrefix("Hello ") && $0.hasSuffix(",")) }
    return Short(
      title: filled.subject, action: paragraphs.first ?? "",
      rest: paragraphs.dropFirst().joined(separator: "\n\n"))
  }
}

extension String {
  /// Returns the parts between the separators, in order.
  func parts(between separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  /// The string without line breaks at either end.
  var trimmingNewlines: String {
    var text = self[...].drop { $0 == "\n" }
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }

  /// Returns at most `limit` bytes, cut between characters and ending in an ellipsis if shortened.
  func shortened(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var text = ""
    var size = "…".utf8.count
    for character in self {
      size += character.utf8.count
      guard size <= limit else { break }
      text.append(character)
    }
    return text + "…"
  }
}
