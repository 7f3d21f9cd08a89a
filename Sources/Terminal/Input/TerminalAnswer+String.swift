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
