/// Which characters the terminal shows. Views draw with Unicode's; where fewer are shown, every cell
/// gets the nearest of them as it is drawn, so that no view has two forms.
public enum GlyphSet: Sendable {
  case unicode
  /// What the fonts of the Linux console have, 256 or 512 characters each: European letters, square
  /// boxes, blocks and arrows. It has a mark of its own for all others, the same one for each.
  case console
  case ascii

  /// What the locale promises: ASCII where one is named that is not of UTF-8 (POSIX.1, 8.2). Where none
  /// is, as in containers, UTF-8 is what terminals show today.
  init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }?.uppercased()
    let isUTF8 = locale.map { $0.contains("UTF-8") || $0.contains("UTF8") } ?? true
    self = !isUTF8 ? .ascii : environment["TERM"] == "linux" ? .console : .unicode
  }

  /// The text with those characters only.
  func shown(_ text: String) -> String {
    self == .unicode
      ? text : String(String.UnicodeScalarView(text.graphemes.map { shown($0.scalar) }))
  }

  /// The character to show for a scalar that takes one column.
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
    // Latin-1, and letters of Latin, Greek and Cyrillic.
    case "\u{A1}"..."\u{AC}", "\u{AE}"..."\u{FF}": scalar
    case "\u{100}"..."\u{52F}" where scalar.properties.isAlphabetic: scalar
    default: nil
    }
  }

  /// What marks the end of a text that is cut.
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
    ]
    for (unicode, ascii) in pairs {
      for (scalar, form) in zip(unicode.unicodeScalars, ascii.unicodeScalars) {
        forms[scalar] = form
      }
    }
    return forms
  }()
}
