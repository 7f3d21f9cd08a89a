extension String {
  /// What was typed, as an error repeats it: short, on one line, and without anything that a
  /// terminal, a log or a mail program would interpret.
  ///
  /// At most 40 characters and 80 scalars, with an ellipsis for the rest; U+FFFD stands for what is
  /// not shown.
  var quotable: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars.prefix(80) {
      // A joiner between two characters is part of a name or of an emoji.
      let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
      let isShown = scalar.isShown || (isJoiner && scalars.last?.isShown == true)
      scalars.append(isShown ? scalar : "\u{FFFD}")
    }
    let shown = String(String(scalars).prefix(40))
    return shown.unicodeScalars.count < unicodeScalars.prefix(81).count ? shown + "…" : shown
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is shown as itself and has no other effect.
  var isShown: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
