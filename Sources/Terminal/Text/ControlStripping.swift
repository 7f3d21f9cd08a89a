extension String {
  /// The text without what acts on a terminal or hides: C0 and C1 controls, DEL, bidirectional
  /// controls, tags and other default-ignorables. Joiners and variation selectors stay, because
  /// emoji are made of them. Line ends (CR LF, CR, NEL, U+2028, U+2029) become line feeds when
  /// lines are kept and spaces otherwise; tabs likewise stay or become spaces. O(n).
  ///
  /// This is for text that is kept, as in a field. Text that is shown also passes ``Grapheme``.
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
