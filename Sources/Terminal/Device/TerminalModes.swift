/// The bytes that take the terminal into full-screen mode, and those that leave it as it was.
struct TerminalModes {
  let options: TerminalOptions
  /// Whether this is the Linux console, which shows parts of sequences that it does not know.
  var isConsole = false
  /// Whether clusters are measured whole (mode 2027) because we asked for it.
  var setsGraphemeClusters = false

  /// Whether the terminal may keep pictures of ours (the kitty graphics protocol).
  var keepsPictures = false
  /// Whether the mouse is reported by pixels (mode 1016) because we asked for it.
  var reportsPixels = false

  /// Title saved, no reordering of right-to-left text (it would move cells that are not its own),
  /// alternate screen, cursor hidden, pastes bracketed, focus and mouse reported, keys
  /// unambiguous (the kitty protocol's "disambiguate" and "alternate keys"), changes between dark
  /// and light reported. A terminal ignores what it does not know.
  var enter: [UInt8] { enter(isAgain: false) }

  /// The same after the process was stopped without a chance to leave: what was put on the terminal's
  /// stacks, title and keyboard, is still there.
  var enterAgain: [UInt8] { enter(isAgain: true) }

  private func enter(isAgain: Bool) -> [UInt8] {
    var text = isAgain ? "" : "\u{1B}[22;0t"
    text += "\u{1B}[8l"
    if let title = options.title { text += Self.title(title) }
    if options.usesAlternateScreen { text += "\u{1B}[?1049h" }
    text += "\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?2031h"
    if !isConsole { text += isAgain ? "\u{1B}[=5;1u" : "\u{1B}[>5u" }
    if options.usesMouse { text += "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" }
    if reportsPixels { text += Self.pixelReports }
    if setsGraphemeClusters { text += Self.graphemeClusters }
    // Known attributes, the whole screen for scrolling, nothing on it.
    text += "\u{1B}[m\u{1B}[r\u{1B}[H\u{1B}[2J"
    return Array(text.utf8)
  }

  /// Undoes `enter` and everything a frame may have left: an unfinished string or synchronized
  /// update, attributes, a hyperlink, scroll margins, the cursor's shape. Ends what a crash may have
  /// cut in the middle.
  var leave: [UInt8] {
    var text = "\u{1B}\\\u{1B}[?2026l\u{1B}[m\u{1B}]8;;\u{1B}\\\u{1B}[r\u{1B}[?7h"
    text += "\u{1B}[?1016l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"
    if !isConsole { text += "\u{1B}[<u\u{1B}[0 q" }
    text += "\u{1B}[?2048l\u{1B}[?2031l\u{1B}[?1004l\u{1B}[?2004l"
    if keepsPictures { text += KittyGraphics.deleteAll }
    // Without the alternate screen the shell goes on under what was drawn.
    text += options.usesAlternateScreen ? "\u{1B}[?1049l" : "\u{1B}[999;1H\r\n"
    if setsGraphemeClusters { text += "\u{1B}[?2027l" }
    text += "\u{1B}[?25h\u{1B}[8h\u{1B}[23;0t"
    return Array(text.utf8)
  }

  /// Asks for clusters measured whole (mode 2027), of terminals that said they can.
  static let graphemeClusters = "\u{1B}[?2027h"

  /// Asks for the mouse by pixels (mode 1016), of terminals that said they can, and then whether it
  /// is so: the answer stands between the reports by cells and those by pixels.
  static let pixelReports = "\u{1B}[?1016h\u{1B}[?1016$p"

  /// Asks for sizes in band (mode 2048), of terminals that said they can. `leave` ends it.
  static let resizeReports = Array("\u{1B}[?2048h".utf8)

  /// Sets the window's title (OSC 2), whatever is in the text.
  static func title(_ title: String) -> String {
    "\u{1B}]2;\(title.sanitized)\u{1B}\\"
  }
}
