/// Names of files that come from other people: made harmless before they are stored, and again before
/// they become the name of a file here (DOC-1).
public enum FileName {
  /// The most bytes in a name that file systems take (POSIX `NAME_MAX`).
  public static let limit = 255

  /// A name that stays in its folder, hides nothing and can be shown.
  ///
  /// Without control characters and without format characters such as the bidirectional overrides,
  /// which show `gpj.exe` as `exe.jpg`; with `-` in place of path separators; not beginning with a
  /// dot; of at most 255 bytes with its extension kept; `document` where nothing is left.
  public static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    // What is far beyond the limit is never looked at.
    for scalar in text.unicodeScalars.prefix(4 * limit) where isHarmless(scalar) {
      scalars.append(scalar == "/" || scalar == "\\" ? "-" : scalar)
    }
    let name = String(scalars).drop { $0.isWhitespace || $0.unicodeScalars.first == "." }
      .trimmingWhitespace()
    return name.isEmpty ? "document" : shortened(name, to: limit)
  }

  /// The name itself, then the same with a number before its extension: `card.pdf`, `card (2).pdf` …
  public static func numbered(_ name: String) -> some Sequence<String> {
    let parts = split(name)
    return (1...).lazy.map { number -> String in
      guard number > 1 else { return name }
      let mark = " (\(number))"
      let room = limit - mark.utf8.count - parts.suffix.utf8.count
      return prefix(of: parts.stem, bytes: max(0, room)) + mark + parts.suffix
    }
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    // The joiners shape words of some scripts, and emoji.
    case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
    default: true
    }
  }

  private static func shortened(_ name: String, to limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    let parts = split(name)
    return prefix(of: parts.stem, bytes: limit - parts.suffix.utf8.count).trimmingWhitespace()
      + parts.suffix
  }

  /// What comes before the extension, and the extension with its dot; one that is longer than 16
  /// bytes is none.
  private static func split(_ name: String) -> (stem: Substring, suffix: Substring) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      (2...17).contains(name[dot...].utf8.count)
    else { return (name[...], "") }
    return (name[..<dot], name[dot...])
  }

  /// Whole characters that take no more than so many bytes.
  private static func prefix(of text: Substring, bytes: Int) -> String {
    var result = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      guard count <= bytes else { break }
      result.append(character)
    }
    // One character may be longer than any name.
    return result.isEmpty ? "document" : result
  }
}
