/// How a scalar takes part in the width of its grapheme cluster. The raw values are those of the
/// generated table.
enum ScalarWidth: UInt32 {
  /// One column. Ambiguous width (East Asian Width A) is narrow.
  case narrow
  /// No column of its own: it joins the scalar before it.
  case mark
  /// Two columns.
  case wide
  /// One column, two when variation selector 16 asks for the emoji.
  case textEmoji
  /// Two columns, one when variation selector 15 asks for the text.
  case emoji
  /// Half of a flag.
  case regionalIndicator
  /// Shows nothing, or reorders what is around it: never written to the terminal.
  case ignorable
  /// Acts on the terminal, or is no character at all: never written to the terminal.
  case control
  /// Two columns by the present Unicode version, one in terminals that follow an older one.
  case newlyWide

  /// Looks the scalar up in the table: O(1) for ASCII, else O(log n) in the table's thousand runs.
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
    // The last run that starts at or before the scalar.
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
  /// U+200C, which keeps two letters from being written as one.
  static let zeroWidthNonJoiner: Unicode.Scalar = "\u{200C}"
  /// U+200D, which joins emoji into one.
  static let zeroWidthJoiner: Unicode.Scalar = "\u{200D}"
  /// U+FE0E, variation selector 15: show the character before it as text.
  static let textSelector: Unicode.Scalar = "\u{FE0E}"
  /// U+FE0F, variation selector 16: show the character before it as an emoji.
  static let emojiSelector: Unicode.Scalar = "\u{FE0F}"
  /// U+25CC, which carries marks that have nothing to stand on.
  static let dottedCircle: Unicode.Scalar = "\u{25CC}"
  /// U+FFFD, shown in place of what is no character.
  static let replacement: Unicode.Scalar = "\u{FFFD}"
}
