/// The byte sequences that enter full-screen mode and restore the terminal afterwards.
struct TerminalModes {
  let options: TerminalOptions
  /// Whether this is the Linux console, which displays parts of sequences it doesn't know.
  var isConsole = false
  /// Whether the program asked for clusters to be measured as a whole (mode 2027).
  var setsGraphemeClusters = false

  /// Whether the terminal might hold pictures of the program (kitty graphics protocol).
  var keepsPictures = false
  /// Whether the program asked for the mouse in pixels (mode 1016).
  var reportsPixels = false

  /// Enters full-screen mode: saves the title, turns off bidirectional reordering (which would move
  /// neighbouring cells), switches to the alternate screen, hides the cursor, and turns on
  /// bracketed paste, focus and mouse reports, unambiguous keys (the kitty protocol's
  /// "disambiguate" and "alternate keys") and reports of dark and light mode. Terminals ignore
  /// sequences they don't know.
  var enter: [UInt8] { enter(isAgain: false) }

  /// Enters full-screen mode after the process was stopped without a chance to leave it: the title
  /// and keyboard mode are still on the terminal's stacks.
  var enterAgain: [UInt8] { enter(isAgain: true) }

  private func enter(isAgain: Bool) -> [UInt8] {
    if options.inlineRows != nil { return Array((Self.enterLines + keys(isAgain)).utf8) }
    var text = isAgain ? "" : "\u{1B}[22;0t"
    text += "\u{1B}[8l"
    if let title = options.title { text += Self.title(title) }
    if options.usesAlternateScreen { text += "\u{1B}[?1049h" }
    text += "\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?2031h"
    text += keys(isAgain)
    if options.usesMouse { text += "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" }
    if reportsPixels { text += Self.pixelReports }
    if setsGraphemeClusters { text += Self.graphemeClusters }
    // Reset the attributes and the scroll region, and clear the screen.
    text += "\u{1B}[m\u{1B}[r\u{1B}[H\u{1B}[2J"
    return Array(text.utf8)
  }

  /// Turns on unambiguous keys.
  private func keys(_ isAgain: Bool) -> String {
    isConsole ? "" : isAgain ? "\u{1B}[=5;1u" : "\u{1B}[>5u"
  }

  /// Begins to draw a few lines: the screen and the mouse stay the shell's.
  private static let enterLines = "\u{1B}[?25l\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?2031h"

  /// Undoes `enter`, if the cursor isn't where the shell can go on: with inline frames, it does in
  /// the last row.
  var leaveAnywhere: [UInt8] {
    options.inlineRows == nil ? leave : leave + Array("\u{1B}[999B\r\n".utf8)
  }

  /// Undoes `enter` and anything a frame may have left behind: an unfinished string or synchronized
  /// update, attributes, a hyperlink, scroll margins, the cursor shape. First terminates any
  /// sequence that a crash may have cut off. After inline frames, the cursor stays where it is.
  var leave: [UInt8] {
    let isInline = options.inlineRows != nil
    var text = "\u{1B}\\\u{1B}[?2026l\u{1B}[m\u{1B}]8;;\u{1B}\\"
    if !isInline { text += "\u{1B}[r" }
    text += "\u{1B}[?7h"
    if !isInline { text += "\u{1B}[?1016l\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" }
    if !isConsole { text += "\u{1B}[<u\u{1B}[0 q" }
    text += "\u{1B}[?2048l\u{1B}[?2031l\u{1B}[?1004l\u{1B}[?2004l"
    if keepsPictures { text += KittyGraphics.deleteAll }
    // Without the alternate screen, the shell continues below the last frame.
    if !isInline { text += options.usesAlternateScreen ? "\u{1B}[?1049l" : "\u{1B}[999;1H\r\n" }
    if setsGraphemeClusters { text += "\u{1B}[?2027l" }
    text += "\u{1B}[?25h"
    if !isInline { text += "\u{1B}[8h\u{1B}[23;0t" }
    return Array(text.utf8)
  }

  /// Asks for clusters to be measured as a whole (mode 2027); for terminals that support it.
  static let graphemeClusters = "\u{1B}[?2027h"

  /// Asks for the mouse in pixels (mode 1016), for terminals that support it, and queries whether
  /// it is on: the answer arrives between the last report in cells and the first in pixels.
  static let pixelReports = "\u{1B}[?1016h\u{1B}[?1016$p"

  /// Asks for in-band size reports (mode 2048), for terminals that support them. `leave` turns them
  /// off.
  static let resizeReports = Array("\u{1B}[?2048h".utf8)

  /// Sets the window title (OSC 2); `title` can be any text.
  static func title(_ title: String) -> String {
    "\u{1B}]2;\(title.sanitized)\u{1B}\\"
  }
}
