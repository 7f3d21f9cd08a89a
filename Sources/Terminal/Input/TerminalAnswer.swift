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

extension TerminalAnswer {
  /// Parses the answer in an OSC, DCS or APC string; `nil` if it doesn't answer any query used
  /// here.
  /// - Parameters:
  ///   - string: The text between the introducer and the terminator.
  ///   - kind: The introducer after ESC: `]`, `P`, `_`, `^` or `X`.
  init?(string: String, kind: UInt8) {
    switch kind {
    case 0x5D:  // OSC
      guard let separator = string.lastIndex(of: ";"),
        let color = RGB(string[string.index(after: separator)...])
      else { return nil }
      switch string[..<separator] {
      case "4;255": self = .palette256
      case "10": self = .foreground(red: color.red, green: color.green, blue: color.blue)
      case "11": self = .background(red: color.red, green: color.green, blue: color.blue)
      default: return nil
      }
    case 0x50 where string.hasPrefix(">|"):  // DCS
      self = .version(String(string.dropFirst(2)).sanitized)
    case 0x50 where string.hasPrefix("1+r524742"):
      self = .trueColor
    case 0x50 where string.uppercased().hasPrefix("1+R536D756C78"):
      self = .styledUnderlines
    case 0x5F where string.hasPrefix("G"):  // APC
      self = .graphics(String(string.dropFirst()).sanitized)
    default:
      return nil
    }
  }
}

/// A colour in X11 notation: `rgb:rrrr/gggg/bbbb` with one to four digits each, or `#rrggbb`.
private struct RGB {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init?(_ text: Substring) {
    var components: [Substring]
    if text.hasPrefix("rgb:") || text.hasPrefix("rgba:") {
      let start = text.index(after: text.firstIndex(of: ":")!)
      components = text[start...].split(separator: "/", omittingEmptySubsequences: false)
    } else if text.hasPrefix("#"), text.dropFirst().utf8.count == 6 {
      let digits = text.dropFirst()
      components = [digits.prefix(2), digits.dropFirst(2).prefix(2), digits.suffix(2)]
    } else {
      return nil
    }
    guard components.count >= 3, let red = Self.component(components[0]),
      let green = Self.component(components[1]), let blue = Self.component(components[2])
    else { return nil }
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Returns a component scaled to 8 bits according to its number of digits.
  private static func component(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    let largest = (1 << (4 * digits.utf8.count)) - 1
    return UInt8((value * 255 + largest / 2) / largest)
  }
}
