/// The characters that a terminal can show. Views draw with Unicode characters; on a restricted
/// terminal each one is replaced with the nearest available when it is drawn, so views need only
/// one form.
public enum GlyphSet: Sendable {
  /// Every character.
  case unicode
  /// The characters in the fonts of the Linux console, 256 or 512 in each: European letters, square
  /// boxes, blocks and arrows. The console shows the same replacement mark for all others.
  case console
  /// The printable characters of ASCII.
  case ascii

  /// Determines the glyph set from the locale: ASCII if the locale isn't UTF-8 (POSIX.1, 8.2).
  /// Without a locale, as in containers, UTF-8 is assumed, since that is what terminals use today.
  init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }?.uppercased()
    let isUTF8 = locale.map { $0.contains("UTF-8") || $0.contains("UTF8") } ?? true
    self = !isUTF8 ? .ascii : environment["TERM"] == "linux" ? .console : .unicode
  }

  /// Returns the text with unavailable characters replaced.
  func shown(_ text: String) -> String {
    self == .unicode
      ? text : String(String.UnicodeScalarView(text.graphemes.map { shown($0.scalar) }))
  }

  /// Returns the character to show for a scalar one column wide.
  func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if self == .unicode || scalar.isASCII { return scalar }
    if self == .console, let shown = Self.onConsole(scalar) { return shown }
    return Self.asciiForms[scalar] ?? "?"
  }

  private static func onConsole(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar {
    case "╭": "┌"
    case "╮": "┐"
    case "╰": "└"
    case "╯": "┘"
    case "─", "│", "┌", "┐", "└", "┘", "├", "┤", "┬", "┴", "┼", "█", "▀", "▄", "▌", "▐", "░", "▒",
      "▓", "■", "•", "←", "↑", "→", "↓":
      scalar
    // Latin-1, and Latin, Greek and Cyrillic letters.
    case "\u{A1}"..."\u{AC}", "\u{AE}"..."\u{FF}": scalar
    case "\u{100}"..."\u{52F}" where scalar.properties.isAlphabetic: scalar
    default: nil
    }
  }

  /// The mark at the end of a truncated text.
  var ellipsis: String { self == .unicode ? "…" : "..." }

  private static let asciiForms: [Unicode.Scalar: Unicode.Scalar] = {
    var forms: [Unicode.Scalar: Unicode.Scalar] = [:]
    let pairs: [(String, String)] = [
      ("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╒╕╘╛╞╡╟╢", "+++++++++++++++++++++++++"),
      ("\u{A0}", " "),
      ("─━╸╺╾╼╴╶═┄┈", "-========--"),
      ("│┃║▏▕▌▐┆┊", "||||||||:"),
      ("█▇▆▅▉▊▋▓▀▄", "#########_"),
      ("▃▂▁▒░▪▫■□", "--_::#.#."),
      ("●◐▲‖◌○◉◆◇▼▾▴▸▹▶◀•·‣★☆", "*~^=oo*+ovv^>>><*.***"),
      ("✓✔✗✘×✉⚑↗↘↖↙←→↑↓⏎⌫⇥", "++xxx@&/\\\\/<>^v<<>"),
      ("…–—‘’“”„‚«»‹›", ".--''\"\"\",<><>"),
      ("éèêëàâäáãåçîïíìôöóòõøùûüúñÿ", "eeeeaaaaaaciiiioooooouuuuny"),
      (
        "ÀÁÂÃÄÅÈÉÊËÌÍÎÏÒÓÔÕÖØÙÚÛÜÝÑÇŠŽČŘŁŚŹŻĆŃÐ", "AAAAAAEEEEIIIIOOOOOOUUUUYNCSZCRLSZZCND"
      ),
      ("şğıłšžčřěđďťňůőűśźżćńęąýățșð", "sgilszcreddtnuouszzcneayatsd"),
      ("ŞĞİŐŰŮĚĎŤŇĘĄĂȚȘĐāēīōūĀĒĪŌŪơưƠƯß", "SGIOUUEDTNEAATSDaeiouAEIOUouOUs"),
      // One letter for each, so that a name keeps its width.
      ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "abvgdeezziiklmnoprstufhccss'y'eua"),
      ("АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ", "ABVGDEEZZIIKLMNOPRSTUFHCCSS'Y'EUA"),
      ("іїєґІЇЄҐ", "iiegIIEG"),
      ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώ", "avgdeziuiklmnxoprstyfhposaeiioyo"),
      ("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ", "AVGDEZIUIKLMNXOPRSTYFHPOAEIIOYO"),
    ]
    for (unicode, ascii) in pairs {
      for (scalar, form) in zip(unicode.unicodeScalars, ascii.unicodeScalars) {
        forms[scalar] = form
      }
    }
    return forms
  }()
}
