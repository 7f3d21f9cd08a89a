/// Which characters the terminal shows. Views draw with Unicode's; where only ASCII is shown,
/// every cell gets the nearest ASCII character as it is drawn, so that no view has two forms.
public enum GlyphSet: Sendable {
  case unicode
  case ascii

  /// What the locale promises: ASCII where one is named that is not of UTF-8 (POSIX.1, 8.2). Where none
  /// is, as in containers, UTF-8 is what terminals show today.
  init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }?.uppercased()
    let isUTF8 = locale.map { $0.contains("UTF-8") || $0.contains("UTF8") } ?? true
    self = isUTF8 ? .unicode : .ascii
  }

  /// The text with those characters only.
  func shown(_ text: String) -> String {
    self == .unicode
      ? text : String(String.UnicodeScalarView(text.graphemes.map { shown($0.scalar) }))
  }

  /// The character to show for a scalar that takes one column.
  func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if self == .unicode || scalar.isASCII { return scalar }
    return Self.asciiForms[scalar] ?? "?"
  }

  /// What marks the end of a text that is cut.
  var ellipsis: String { self == .ascii ? "..." : "…" }

  private static let asciiForms: [Unicode.Scalar: Unicode.Scalar] = {
    var forms: [Unicode.Scalar: Unicode.Scalar] = [:]
    let pairs: [(String, String)] = [
      ("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╒╕╘╛╞╡╟╢", "+++++++++++++++++++++++++"),
      ("─━╸╺╴╶═┄┈", "-======--"),
      ("│┃║▏▕▌▐┆┊", "||||||||:"),
      ("█▇▆▅▉▊▋▓▀▄", "#########_"),
      ("▃▂▁▒░▪▫■□", "--_::#.#."),
      ("●◐▲‖◌○◉◆◇▼▾▴▸▹▶◀•·‣★☆", "*~^=oo*+ovv^>>><*.***"),
      ("✓✔✗✘×✉⚑↗↘↖↙←→↑↓⏎⌫⇥", "vvxxx@&/\\\\/<>^v<<>"),
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
