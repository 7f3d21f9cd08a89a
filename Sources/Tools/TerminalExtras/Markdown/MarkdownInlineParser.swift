import Terminal

/// Splits a Markdown paragraph into spans: emphasis, strong emphasis, strike-through, code, links
/// and escapes. Unclosed marks are plain text.
///
/// - Complexity: O(n); each kind of mark is searched for only once.
struct MarkdownInlineParser {
  private let text: [Character]
  private var position = 0
  private var traits: MarkdownSpan.Traits = []
  private var pending = ""
  private var spans: [MarkdownSpan] = []
  /// The marks known not to occur again.
  private var missing: Set<String> = []

  /// The maximum length of a link's text; anything longer is not a link.
  private static let linkTextLimit = 200

  private static let marks: [(String, MarkdownSpan.Traits)] = [
    ("**", .strong), ("__", .strong), ("~~", .strike), ("*", .emphasis), ("_", .emphasis),
  ]

  init(_ text: String) {
    self.text = Array(text)
  }

  mutating func parse() -> [MarkdownSpan] {
    while position < text.count {
      if takeEscape() || takeCode() || takeLink() || takeAddress() || takeMark() { continue }
      pending.append(text[position])
      position += 1
    }
    flush()
    return spans
  }

  private mutating func flush() {
    guard !pending.isEmpty else { return }
    spans.append(MarkdownSpan(text: pending, traits: traits))
    pending = ""
  }

  private mutating func takeEscape() -> Bool {
    guard text[position] == "\\", position + 1 < text.count,
      text[position + 1].isPunctuation || text[position + 1].isSymbol
    else { return false }
    pending.append(text[position + 1])
    position += 2
    return true
  }

  private mutating func takeCode() -> Bool {
    guard text[position] == "`", let end = find("`", from: position + 1) else { return false }
    flush()
    spans.append(
      MarkdownSpan(text: String(text[position + 1..<end]), traits: traits.union(.code)))
    position = end + 1
    return true
  }

  /// Reads a link such as `[text](address)`.
  private mutating func takeLink() -> Bool {
    guard text[position] == "[" else { return false }
    let textEnd = min(text.count, position + Self.linkTextLimit)
    guard let close = text[position..<textEnd].firstIndex(of: "]"), close > position + 1,
      close + 1 < text.count, text[close + 1] == "("
    else { return false }
    let addressEnd = min(text.count, close + Hyperlink.limit)
    guard let end = text[close..<addressEnd].firstIndex(of: ")"), end > close + 2 else {
      return false
    }
    flush()
    spans.append(
      MarkdownSpan(
        text: String(text[position + 1..<close]), traits: traits,
        address: String(text[close + 2..<end])))
    position = end + 1
    return true
  }

  /// Reads a bare address, with or without angle brackets.
  private mutating func takeAddress() -> Bool {
    let isBracketed = text[position] == "<"
    let start = isBracketed ? position + 1 : position
    guard ["http://", "https://", "mailto:"].contains(where: { starts(with: $0, at: start) })
    else { return false }
    let rest = text[start..<min(text.count, start + Hyperlink.limit)]
    var end = rest.firstIndex { $0.isWhitespace || "<>\"".contains($0) } ?? rest.endIndex
    if isBracketed {
      guard end < text.count, text[end] == ">" else { return false }
    } else {
      // Punctuation at the end of a sentence is not part of the address.
      while end > start, ".,;:!?)'*_".contains(text[end - 1]) { end -= 1 }
    }
    flush()
    let address = String(text[start..<end])
    spans.append(MarkdownSpan(text: address, traits: traits, address: address))
    position = isBracketed ? end + 1 : end
    return true
  }

  private mutating func takeMark() -> Bool {
    for (mark, trait) in Self.marks where starts(with: mark, at: position) {
      let after = position + mark.count
      if traits.contains(trait) {
        guard position > 0, !text[position - 1].isWhitespace, closes(mark, at: position) else {
          continue
        }
        flush()
        traits.remove(trait)
      } else {
        guard after < text.count, !text[after].isWhitespace, opens(mark, at: position),
          find(mark, from: after + 1) != nil
        else { continue }
        flush()
        traits.insert(trait)
      }
      position = after
      return true
    }
    return false
  }

  /// Returns whether the mark can open a span. Underscores inside a word can't.
  private func opens(_ mark: String, at position: Int) -> Bool {
    mark.first != "_" || position == 0 || !text[position - 1].isWordPart
  }

  private func closes(_ mark: String, at position: Int) -> Bool {
    let after = position + mark.count
    return mark.first != "_" || after >= text.count || !text[after].isWordPart
  }

  private func starts(with mark: String, at position: Int) -> Bool {
    text[min(position, text.count)...].starts(with: mark)
  }

  /// Returns the position of the next closing mark.
  private mutating func find(_ mark: String, from start: Int) -> Int? {
    guard !missing.contains(mark) else { return nil }
    var candidate = start
    while candidate < text.count {
      if starts(with: mark, at: candidate), mark == "`" || !text[candidate - 1].isWhitespace,
        closes(mark, at: candidate)
      {
        return candidate
      }
      candidate += 1
    }
    missing.insert(mark)
    return nil
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
