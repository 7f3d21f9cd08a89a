extension String {
  /// Returns the text sanitized and wrapped to lines of at most `columns`.
  ///
  /// Lines break at the text's own line ends, then between words, after hyphens and dashes, and
  /// between wide characters – but not before closing or after opening punctuation, nor before a
  /// small kana, as UAX 14 has it; a word longer than a line is split, if possible after a slash.
  /// White space at a break is dropped; indentation at the start of a paragraph is kept. Tabs
  /// advance to the next multiple of `tabStop` columns.
  /// An empty text yields one empty line. O(n).
  /// - Parameters:
  ///   - columns: The width of the lines; values below 1 count as 1. A wide character that doesn't
  ///     fit into the width at all is omitted.
  ///   - tabStop: The number of columns between tab stops, at least 1.
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

  /// The parts of the text between line ends; the whole text if it has none.
  private var paragraphs: [String] {
    // Every line end has one of these bytes: LF to CR, or the first of NEL, U+2028 and U+2029.
    guard utf8.contains(where: { (0x0A...0x0D).contains($0) || $0 == 0xC2 || $0 == 0xE2 }) else {
      return [self]
    }
    return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  /// Replaces each tab with spaces up to the next tab stop.
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

/// Breaks the graphemes of a paragraph into lines.
private struct LineBreaker {
  let columns: Int
  var lines: [String]

  /// The text already fixed on the current line.
  private var line = ""
  private var lineColumns = 0
  /// White space after `line`, which a break drops.
  private var space = ""
  private var spaceColumns = 0
  /// The word after that, which moves to the next line if it doesn't fit.
  private var word = ""
  private var wordColumns = 0
  /// What follows the end of the word if nothing that can't begin a line comes next.
  private var opportunity = Opportunity.none
  /// Whether the current line continues a broken one.
  private var isContinuation = false

  init(columns: Int, lines: [String]) {
    self.columns = columns
    self.lines = lines
  }

  /// A place at which a line can break.
  private enum Opportunity {
    case none
    /// After a wide character or a dash.
    case afterCharacter
    /// The same, but not before a digit, as in `2026-11-30` (LB25 of UAX 14).
    case afterHyphen
    /// None even before a wide character: after opening punctuation.
    case afterOpening
  }

  mutating func append(_ grapheme: Grapheme) {
    if grapheme.isSpace {
      opportunity = .none
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
    switch opportunity {
    case .afterOpening: break
    case .afterCharacter where grapheme.canBeginLine: commitWord()
    case .afterHyphen where grapheme.canBeginLine && !grapheme.isDigit: commitWord()
    default: if isWide, grapheme.canBeginLine { commitWord() }
    }
    if lineColumns + spaceColumns + wordColumns + grapheme.columns > columns {
      if lineColumns > 0 {
        breakLine()
      } else if spaceColumns > 0 && wordColumns + grapheme.columns <= columns {
        // Drop an indentation that leaves no space for the word.
        dropSpace()
      }
      if wordColumns + grapheme.columns > columns {
        let rest = takeRestAfterSlash()
        commitWord()
        breakLine()
        (word, wordColumns) = (rest, rest.columns)
      }
    }
    word.append(grapheme)
    wordColumns += grapheme.columns
    opportunity = opportunity(after: grapheme)
  }

  private func opportunity(after grapheme: Grapheme) -> Opportunity {
    if grapheme.isOpening { return .afterOpening }
    if grapheme.columns == 2 { return .afterCharacter }
    guard grapheme.isDash, mayBreakAfterHyphen else { return .none }
    return grapheme.scalar == "-" ? .afterHyphen : .afterCharacter
  }

  /// Whether a hyphen ends a part of a word, unlike those of `-5`, `--an-option` and `e-mail`.
  private var mayBreakAfterHyphen: Bool { wordColumns > 2 && !word.hasPrefix("-") }

  /// Takes what follows the last slash away from a word that is split, so that addresses and paths break
  /// there.
  private mutating func takeRestAfterSlash() -> String {
    guard let slash = word.lastIndex(of: "/"), slash > word.startIndex else { return "" }
    let rest = String(word[word.index(after: slash)...])
    word = String(word[...slash])
    wordColumns -= rest.columns
    return rest
  }

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
  /// Whether a line can begin with this, as closing punctuation, small kana and marks of repetition
  /// can't (the classes CL, CP, EX, IS, SY, NS and CJ of UAX 14).
  fileprivate var canBeginLine: Bool {
    guard cluster == nil else { return true }
    switch scalar {
    case "!", "%", ")", ",", ".", "/", ":", ";", "?", "]", "}", "”", "’", "…": return false
    case "、", "。", "〉", "》", "」", "』", "】", "〕", "〗", "〙", "〛", "〞", "〟": return false
    case "々", "〻", "ゝ", "ゞ", "ヽ", "ヾ", "ー", "〜", "・", "゛", "゜", "゠": return false
    case "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ", "ゎ", "ゕ", "ゖ": return false
    case "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", "ヮ", "ヵ", "ヶ": return false
    case "！", "％", "）", "，", "．", "：", "；", "？", "］", "｝", "｠", "｡", "｣", "､": return false
    default: return true
    }
  }

  /// Whether this is opening punctuation, after which no line breaks (the class OP of UAX 14).
  fileprivate var isOpening: Bool {
    guard cluster == nil else { return false }
    switch scalar {
    case "(", "[", "{", "〈", "《", "「", "『", "【", "〔", "〖", "〘", "〚", "〝": return true
    case "（", "［", "｛", "｟", "｢": return true
    default: return false
    }
  }

  /// Whether this is a hyphen or a dash.
  fileprivate var isDash: Bool {
    cluster == nil && (scalar == "-" || scalar == "‐" || scalar == "–" || scalar == "—")
  }

  fileprivate var isDigit: Bool { cluster == nil && ("0"..."9").contains(scalar) }

  /// Whether a line can break here. No-break spaces are excluded.
  fileprivate var isSpace: Bool {
    guard cluster == nil else { return false }
    switch scalar.value {
    case 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: return true
    default: return false
    }
  }
}
