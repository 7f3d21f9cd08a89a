extension String {
  /// Returns the text without characters that control a terminal or are invisible: C0 and C1
  /// controls, DEL, bidirectional controls, tags and other default-ignorable characters. Joiners
  /// and variation selectors stay, because emoji need them. Line ends (CR LF, CR, NEL, U+2028,
  /// U+2029) become line feeds if lines are kept and spaces otherwise; tabs likewise stay or become
  /// spaces. O(n).
  ///
  /// This is for text that is stored, as in a field. Text that is displayed is also filtered by
  /// ``Grapheme``.
  public func strippingControls(keepingLines: Bool) -> String {
    if isPrintableASCII { return self }
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\n" where previous == "\r":
        continue
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        result.append(keepingLines ? "\n" : " ")
      case "\t":
        result.append(keepingLines ? "\t" : " ")
      case .zeroWidthJoiner, .textSelector, .emojiSelector:
        result.append(scalar)
      default:
        switch ScalarWidth(scalar) {
        case .control, .ignorable: continue
        default: result.append(scalar)
        }
      }
    }
    return String(result)
  }
}
