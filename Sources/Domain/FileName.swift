/// Rules for file names that come from other people: they are made harmless before they are stored,
/// and again before a file on this machine is named after them (DOC-1).
public enum FileName {
  /// The most bytes that file systems allow in a name (POSIX `NAME_MAX`).
  public static let limit = 255

  /// Returns a name that stays in its folder, hides nothing and can be shown.
  ///
  /// Removes control characters, format characters such as the bidirectional overrides, which show
  /// `gpj.exe` as `exe.jpg`, and leading dots; replaces path separators with `-`; cuts the name to
  /// 255 bytes with its extension kept. Returns `document` if nothing is left.
  public static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    // A long text is not read far beyond the limit.
    for scalar in text.unicodeScalars.prefix(4 * limit) where isHarmless(scalar) {
      scalars.append(scalar == "/" || scalar == "\\" ? "-" : scalar)
    }
    let name = String(scalars).drop { $0.isWhitespace || $0.unicodeScalars.first == "." }
      .trimmingWhitespace()
    return name.isEmpty ? "document" : shortened(name, to: limit)
  }

  /// Returns the name itself, then the same with a number before its extension: `card.pdf`,
  /// `card (2).pdf` …
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
    // Some scripts and emoji need the joiners.
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

  /// Splits a name into its stem and its extension with the dot. An extension of more than 16 bytes
  /// does not count as one.
  private static func split(_ name: String) -> (stem: Substring, suffix: Substring) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
      (2...17).contains(name[dot...].utf8.count)
    else { return (name[...], "") }
    return (name[..<dot], name[dot...])
  }

  /// Returns as many whole characters as fit into a number of bytes.
  private static func prefix(of text: Substring, bytes: Int) -> String {
    var result = ""
    var count = 0
    for character in text {
      count += character.utf8.count
      guard count <= bytes else { break }
      result.append(character)
    }
    // Even one character can be longer than the limit.
    return result.isEmpty ? "document" : result
  }
}
