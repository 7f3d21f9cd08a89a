extension String {
  /// The text as it leaves the program: without control characters other than line breaks and tabs,
  /// and without invisible characters that change what is read, such as U+202E, which reverses
  /// `gpj.exe`.
  ///
  /// Right-to-left text needs none of these. Joiners stay: scripts such as Persian and Malayalam
  /// need them, and so do composed emoji.
  public var outgoing: String {
    guard unicodeScalars.contains(where: { !$0.isPlain }) else { return self }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      // The flags of regions, such as Scotland's, are spelt with letters that are invisible
      // elsewhere.
      let isOfFlag =
        scalar.isTag && (scalars.last.map { $0 == "\u{1F3F4}" || $0.isTag } ?? false)
      if scalar.isPlain || isOfFlag {
        scalars.append(scalar)
      } else if scalar == "\u{2028}" || scalar == "\u{2029}" {
        scalars.append("\n")
      }
    }
    return String(scalars)
  }
}

extension Unicode.Scalar {
  fileprivate var isTag: Bool { ("\u{E0020}"..."\u{E007F}").contains(self) }

  /// Whether it is visible, or needed to spell what is.
  fileprivate var isPlain: Bool {
    switch self {
    case " "..."~", "\n", "\t", "\u{200C}", "\u{200D}": true
    // Signs under or around numbers are visible, though Unicode counts them as formatting.
    case "\u{600}"..."\u{605}", "\u{6DD}", "\u{70F}", "\u{890}", "\u{891}", "\u{8E2}",
      "\u{110BD}", "\u{110CD}":
      true
    default:
      switch properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }
}
