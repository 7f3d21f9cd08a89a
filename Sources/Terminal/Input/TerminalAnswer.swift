/// A report by the terminal about itself, solicited or not.
package enum TerminalAnswer: Equatable, Sendable {
  /// DA1 (`CSI ? … c`): the features that the terminal claims. Every terminal answers it, so it
  /// marks the end of the answers to earlier queries.
  case deviceAttributes([Int])
  /// XTVERSION (`DCS > | … ST`): the terminal's name and version.
  case version(String)
  /// XTGETTCAP (`DCS 1 + r 524742 … ST`): the terminal has the capability `RGB`.
  case trueColor
  /// OSC 4 for colour 255: the palette has 256 colours.
  case palette256
  /// XTGETTCAP (`DCS 1 + r 536D756C78 … ST`): the terminal has the capability `Smulx`.
  case styledUnderlines
  /// DECRPM (`CSI ? mode ; setting $ y`): 0 not recognised, 1 set, 2 reset, 3 always set, 4 always
  /// reset.
  case mode(Int, setting: Int)
  /// The current flags of the kitty keyboard protocol (`CSI ? flags u`).
  case keyboard(flags: Int)
  /// The text colour (OSC 10), as 8-bit components.
  case foreground(red: UInt8, green: UInt8, blue: UInt8)
  /// The background colour (OSC 11), as 8-bit components.
  case background(red: UInt8, green: UInt8, blue: UInt8)
  /// The position of the cursor (DECXCPR, `CSI ? row ; column R`).
  case cursor(Point)
  /// The size of the text area in pixels (`CSI 4 ; height ; width t`).
  case pixels(width: Int, height: Int)
  /// The size of a cell in pixels (`CSI 6 ; height ; width t`).
  case cellPixels(width: Int, height: Int)
  /// The user's preference for dark or light changed (mode 2031, `CSI ? 997 ; 1 or 2 n`).
  case appearance(isDark: Bool)
  /// An answer of the kitty graphics protocol (`APC G … ST`).
  case graphics(String)
}
