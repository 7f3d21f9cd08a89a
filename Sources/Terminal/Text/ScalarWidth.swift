/// How a scalar contributes to the width of its grapheme cluster. The raw values are those in the
/// generated table.
enum ScalarWidth: UInt32 {
  /// One column. Characters of ambiguous width (East Asian Width A) are narrow.
  case narrow
  /// No width: it combines with the previous scalar.
  case mark
  /// Two columns.
  case wide
  /// One column, or two if variation selector 16 requests emoji presentation.
  case textEmoji
  /// Two columns, or one if variation selector 15 requests text presentation.
  case emoji
  /// Half of a flag.
  case regionalIndicator
  /// Invisible, or reorders its surroundings: never written to the terminal.
  case ignorable
  /// Controls the terminal or isn't a character: never written to the terminal.
  case control
  /// Two columns in the current Unicode version, one in terminals that follow an older one.
  case newlyWide

  /// Looks up a scalar: O(1) for ASCII, otherwise O(log n) in the table's thousand runs.
  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value < 0x300 {
      switch value {
      case 0x23, 0x2A, 0x30...0x39: self = .textEmoji
      case 0x20..<0x7F: self = .narrow
      case 0..<0x20, 0x7F..<0xA0: self = .control
      case 0xA9, 0xAE: self = .textEmoji
      case 0xAD: self = .ignorable
      default: self = .narrow
      }
      return
    }
    // Find the last run that starts at or before the scalar.
    let key = value << 4 | 15
    var low = 0
    var high = scalarWidthTable.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if scalarWidthTable[middle] <= key { low = middle } else { high = middle }
    }
    self = ScalarWidth(rawValue: scalarWidthTable[low] & 15) ?? .narrow
  }
}

extension Unicode.Scalar {
  /// U+200C, which keeps two letters from connecting.
  static let zeroWidthNonJoiner: Unicode.Scalar = "\u{200C}"
  /// U+200D, which joins emoji into one.
  static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
  /// U+FE0E, variation selector 15: shows the previous character as text.
  static let textSelector: Unicode.Scalar = "\u{FE0E}"
  /// U+FE0F, variation selector 16: shows the previous character as an emoji.
  static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
  /// U+25CC, the base for marks that have none.
  static let dottedCircle: Unicode.Scalar = "\u{25CC}"
  /// U+FFFD, shown in place of invalid characters.
  static let replacement: Unicode.Scalar = "\u{FFFD}"
}
