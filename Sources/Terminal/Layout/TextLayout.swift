/// The options for fitting a text into its space. Small, so that a text element fits into an
/// existential without a heap allocation.
struct TextOptions {
  /// The maximum number of lines, 0 for no limit. The highest bit is set if the terminal has no
  /// ellipsis.
  private let packed: UInt16
  let truncation: Truncation
  let alignment: HorizontalAlignment

  init(_ environment: ViewEnvironment, glyphs: GlyphSet) {
    packed =
      min(UInt16(clamping: environment.lineLimit ?? 0), Self.plainBit - 1)
      | (glyphs == .unicode ? 0 : Self.plainBit)
    truncation = environment.truncation
    alignment = environment.textAlignment
  }

  /// The maximum number of lines; `Int.max` for no limit.
  var lineLimit: Int {
    let limit = packed & (Self.plainBit - 1)
    return limit == 0 ? .max : Int(limit)
  }

  /// The mark of a truncated text.
  var ellipsis: String {
    let glyphs: GlyphSet = packed & Self.plainBit == 0 ? .unicode : .ascii
    return glyphs.ellipsis
  }

  private static var plainBit: UInt16 { 1 << 15 }
}

/// Breaks text into lines.
enum TextLayout {
  /// Returns the width of a text that is a single line unless wrapped; `nil` if it has line breaks
  /// or tabs.
  static func lineColumns(_ text: String) -> Int? {
    if text.isPrintableASCII { return text.utf8.count }
    for byte in text.utf8 where byte == 10 || byte == 13 || byte == 9 { return nil }
    return text.columns
  }

  /// Returns the text as lines of the proposed width, limited to the proposed number of rows if
  /// that is definite.
  static func lines(of text: String, in proposal: Proposal, options: TextOptions) -> [String] {
    let isWidthDefinite = Proposal.isDefinite(proposal.columns)
    if isWidthDefinite, proposal.columns == 0 { return [""] }
    var limit = options.lineLimit
    if Proposal.isDefinite(proposal.rows) { limit = min(limit, max(1, proposal.rows)) }
    if let columns = lineColumns(text) {
      if !isWidthDefinite || columns <= proposal.columns { return [text] }
      if limit == 1 {
        return [
          text.truncated(to: proposal.columns, options.truncation, ellipsis: options.ellipsis)
        ]
      }
    }
    // Without a definite width, use one far wider than any screen.
    let columns = isWidthDefinite ? proposal.columns : 100_000
    let lines = text.wrapped(to: columns)
    guard lines.count > limit else { return lines }
    // The last line shows that the text continues.
    var kept = Array(lines.prefix(limit))
    let mark = options.ellipsis
    kept[limit - 1] = (kept[limit - 1] + mark).truncated(to: columns, ellipsis: mark)
    return kept
  }

  /// Returns the size of a block of lines.
  static func size(of lines: [String]) -> Size {
    var columns = 0
    for line in lines { columns = max(columns, line.columns) }
    return Size(columns: columns, rows: lines.count)
  }
}
