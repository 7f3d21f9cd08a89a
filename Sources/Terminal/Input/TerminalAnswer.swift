/// What the terminal reports about itself, asked or not.
package enum TerminalAnswer: Equatable, Sendable {
  /// DA1 (`CSI ? … c`): the features that the terminal claims. Every terminal answers it, so it
  /// tells that the answers to all earlier questions have come.
  case deviceAttributes([Int])
  /// XTVERSION (`DCS > | … ST`): the terminal's name and version.
  case version(String)
  /// XTGETTCAP (`DCS 1 + r 524742 … ST`): the terminal has the capability `RGB`.
  case trueColor
  /// The last of 256 colours (OSC 4): the palette has so many.
  case palette256
  /// XTGETTCAP (`DCS 1 + r 536D756C78 … ST`): the terminal has the capability `Smulx`.
  case styledUnderlines
  /// DECRPM (`CSI ? mode ; setting $ y`): 0 not recognised, 1 set, 2 reset, 3 always set, 4 always
  /// reset.
  case mode(Int, setting: Int)
  /// The kitty keyboard protocol's flags in force (`CSI ? flags u`).
  case keyboard(flags: Int)
  /// The colour of the text (OSC 10), as 8-bit components.
  case foreground(red: UInt8, green: UInt8, blue: UInt8)
  /// The colour of the background (OSC 11), as 8-bit components.
  case background(red: UInt8, green: UInt8, blue: UInt8)
  /// The cursor's cell (DECXCPR, `CSI ? row ; column R`).
  case cursor(Point)
  /// The text area in pixels (`CSI 4 ; height ; width t`).
  case pixels(width: Int, height: Int)
  /// A cell in pixels (`CSI 6 ; height ; width t`).
  case cellPixels(width: Int, height: Int)
  /// The person's preference changed (mode 2031, `CSI ? 997 ; 1 or 2 n`).
  case appearance(isDark: Bool)
  /// An answer of the kitty graphics protocol (`APC G … ST`).
  case graphics(String)
}
