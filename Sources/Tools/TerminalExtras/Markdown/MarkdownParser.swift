/// Splits Markdown text into blocks, line by line. It supports the part of CommonMark that notes
/// and help texts use; everything else is a paragraph, so no text is invalid.
struct MarkdownParser {
  private var blocks: [MarkdownBlock] = []
  /// The lines of the current paragraph or list item.
  private var open: [String] = []
  private var openItem: (marker: String, depth: Int)?
  private var quoted: [String] = []
  private var code: [String]?
  private let depth: Int

  /// The maximum depth of nested quotes, and of indented list items.
  private static let depthLimit = 4

  private init(depth: Int) {
    self.depth = depth
  }

  static func blocks(of text: String) -> [MarkdownBlock] {
    blocks(
      of: text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map(String.init), depth: 0)
  }

  private static func blocks(of lines: [String], depth: Int) -> [MarkdownBlock] {
    var parser = MarkdownParser(depth: depth)
    for line in lines { parser.take(line) }
    return parser.finish()
  }

  private mutating func take(_ line: String) {
    if code != nil {
      if line.trimmed.hasPrefix("```") {
        closeCode()
      } else {
        code?.append(line)
      }
      return
    }
    let content = line.trimmed
    if content.hasPrefix(">"), depth < Self.depthLimit {
      closeParagraph()
      quoted.append(content.dropFirst().trimmed(atMost: 1))
      return
    }
    closeQuote()
    if content.isEmpty { return closeParagraph() }
    if content.hasPrefix("```") {
      closeParagraph()
      code = []
    } else if let heading = Self.heading(content) {
      closeParagraph()
      blocks.append(heading)
    } else if Self.isRule(content) {
      closeParagraph()
      blocks.append(.rule)
    } else if let (marker, text) = Self.item(content) {
      closeParagraph()
      openItem = (marker, min(Self.depthLimit, line.prefix { $0 == " " }.count / 2))
      open = [text]
    } else {
      open.append(line.hasSuffix("  ") ? content + "\n" : content)
    }
  }

  private mutating func finish() -> [MarkdownBlock] {
    closeCode()
    closeQuote()
    closeParagraph()
    return blocks
  }

  private mutating func closeCode() {
    if let code { blocks.append(.code(code)) }
    code = nil
  }

  private mutating func closeQuote() {
    guard !quoted.isEmpty else { return }
    blocks.append(.quote(Self.blocks(of: quoted, depth: depth + 1)))
    quoted = []
  }

  private mutating func closeParagraph() {
    guard !open.isEmpty else { return }
    var text = ""
    for line in open {
      if !text.isEmpty, text.last != "\n" { text += " " }
      text += line
    }
    var parser = MarkdownInlineParser(text.last == "\n" ? String(text.dropLast()) : text)
    let spans = parser.parse()
    if let openItem {
      blocks.append(.item(marker: openItem.marker, depth: openItem.depth, spans))
    } else {
      blocks.append(.paragraph(spans))
    }
    open = []
    openItem = nil
  }

  private static func heading(_ line: String) -> MarkdownBlock? {
    let level = line.prefix { $0 == "#" }.count
    guard (1...6).contains(level), line.dropFirst(level).first == " " else { return nil }
    var parser = MarkdownInlineParser(String(line.dropFirst(level)).trimmed)
    return .heading(level: level, parser.parse())
  }

  /// Returns whether the line consists of three or more of the same sign.
  private static func isRule(_ line: String) -> Bool {
    let signs = line.filter { $0 != " " }
    guard signs.count >= 3, let first = signs.first, "-*_".contains(first) else { return false }
    return signs.allSatisfy { $0 == first }
  }

  /// Returns the marker and text of a list item such as `- text` or `1. text`.
  private static func item(_ line: String) -> (marker: String, text: String)? {
    guard let space = line.firstIndex(of: " ") else { return nil }
    let marker = line[..<space]
    let text = String(line[space...]).trimmed
    if marker.count == 1, "-*+".contains(marker) { return ("•", text) }
    guard let end = marker.last, end == "." || end == ")", (2...4).contains(marker.count),
      marker.dropLast().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return (String(marker), text)
  }
}

extension StringProtocol {
  /// The text without white space at either end.
  fileprivate var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Returns the text without up to `count` spaces at its start.
  fileprivate func trimmed(atMost count: Int) -> String {
    String(dropFirst(prefix(count).prefix { $0 == " " }.count))
  }
}
