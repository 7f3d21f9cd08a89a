extension String {
  /// The text cleaned and broken into lines of at most `columns`.
  ///
  /// Lines break at the text's own line ends, then between words, after hyphens and between wide
  /// characters; a word longer than a line is broken where it must be. White space at a break is
  /// dropped, indentation at the start of a paragraph is kept. Tabs reach to the next multiple of
  /// `tabStop` columns. An empty text is one empty line. O(n).
  /// - Parameters:
  ///   - columns: The width of the lines; below 1 counts as 1. Where a wide character does not fit
  ///     in the width at all, it is left out.
  ///   - tabStop: The columns between tab stops, above 0.
  public func wrapped(to columns: Int, tabStop: Int = 4) -> [String] {
    var lines: [String] = []
    for paragraph in paragraphs {
      var line = LineBreaker(columns: Swift.max(1, columns), lines: lines)
      lines = []
      let text = paragraph.expandingTabs(to: Swift.max(1, tabStop))
      for grapheme in text.graphemes { line.append(grapheme) }
      lines = line.finish()
    }
    return lines
  }

  /// The text between line ends; the whole text when it has none.
  private var paragraphs: [String] {
    // Every line end has one of these bytes: LF to CR, or the first of NEL, U+2028 and U+2029.
    guard utf8.contains(where: { (0x0A...0x0D).contains($0) || $0 == 0xC2 || $0 == 0xE2 }) else {
      return [self]
    }
    return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  /// The text with spaces up to the next tab stop in place of each tab.
  private func expandingTabs(to tabStop: Int) -> String {
    guard utf8.contains(0x09) else { return self }
    var result = ""
    var column = 0
    for character in self {
      if character == "\t" {
        let spaces = tabStop - column % tabStop
        result += String(repeating: " ", count: spaces)
        column += spaces
      } else {
        result.append(character)
        column += character.columns
      }
    }
    return result
  }
}

/// Collects the graphemes of one paragraph into lines.
private struct LineBreaker {
  let columns: Int
  var lines: [String]

  /// What is certainly on the current line.
  private var line = ""
  private var lineColumns = 0
  /// White space after it, which a break drops.
  private var space = ""
  private var spaceColumns = 0
  /// The word after that, which moves to the next line when it does not fit.
  private var word = ""
  private var wordColumns = 0
  /// Whether the current line goes on from one that was broken.
  private var isContinuation = false

  init(columns: Int, lines: [String]) {
    self.columns = columns
    self.lines = lines
  }

  mutating func append(_ grapheme: Grapheme) {
    if grapheme.isSpace {
      commitWord()
      if isContinuation && lineColumns == 0 { return }
      if lineColumns + spaceColumns < columns {
        space.append(grapheme)
        spaceColumns += grapheme.columns
      }
      return
    }
    guard grapheme.columns <= columns else { return }
    let isWide = grapheme.columns == 2
    if isWide { commitWord() }
    if lineColumns + spaceColumns + wordColumns + grapheme.columns > columns {
      if lineColumns > 0 {
        breakLine()
      } else if spaceColumns > 0 && wordColumns + grapheme.columns <= columns {
        // An indentation that leaves no room for the word gives way.
        dropSpace()
      }
      if wordColumns + grapheme.columns > columns {
        commitWord()
        breakLine()
      }
    }
    word.append(grapheme)
    wordColumns += grapheme.columns
    if isWide || grapheme.scalar == "-" && mayBreakAfterHyphen { commitWord() }
  }

  /// No line ends with the `-` of a number, within `--an-option`, or after the one letter of `e-mail`.
  private var mayBreakAfterHyphen: Bool { wordColumns > 2 && !word.hasPrefix("-") }

  mutating func finish() -> [String] {
    commitWord()
    lines.append(line)
    return lines
  }

  private mutating func commitWord() {
    guard wordColumns > 0 else { return }
    line += space
    line += word
    lineColumns += spaceColumns + wordColumns
    dropSpace()
    word = ""
    wordColumns = 0
  }

  private mutating func breakLine() {
    lines.append(line)
    line = ""
    lineColumns = 0
    dropSpace()
    isContinuation = true
  }

  private mutating func dropSpace() {
    space = ""
    spaceColumns = 0
  }
}

extension Grapheme {
  /// Whether a line may break here. No-break spaces are not included.
  fileprivate var isSpace: Bool {
    guard cluster == nil else { return false }
    switch scalar.value {
    case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: return true
    default: return false
    }
  }
}
