/// A text or background colour.
public struct Color: Hashable, Sendable {
  /// The kind of colour, stored in the top byte of `packed`.
  enum Kind: UInt32 {
    case standard = 0
    case palette = 1
    case rgb = 2
  }

  /// The kind in the top byte, and the palette index or RGB components below. Four bytes make
  /// styles quick to compare and hash.
  let packed: UInt32

  private init(kind: Kind, value: UInt32) {
    packed = kind.rawValue << 24 | value
  }

  /// The terminal's default foreground or background.
  public static let standard = Color(kind: .standard, value: 0)

  /// Returns an entry of the terminal's palette. Users choose entries 0 to 15 themselves.
  public static func palette(_ index: UInt8) -> Color {
    Color(kind: .palette, value: UInt32(index))
  }

  /// Returns a colour by its components, 0 to 255.
  public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(kind: .rgb, value: UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  /// Returns a colour from its hexadecimal notation: `0xE5C07B`.
  public static func hex(_ value: UInt32) -> Color {
    Color(kind: .rgb, value: value & 0xFF_FFFF)
  }

  var kind: Kind { Kind(rawValue: packed >> 24) ?? .standard }
  var paletteIndex: UInt8 { UInt8(truncatingIfNeeded: packed) }
  var red: UInt8 { UInt8(truncatingIfNeeded: packed >> 16) }
  var green: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) }
  var blue: UInt8 { UInt8(truncatingIfNeeded: packed) }
}

extension Color {
  /// The colour's components, or `nil` for the terminal's default, which is unknown. Palette
  /// entries 0 to 15 are assumed to have xterm's values.
  public var components: (red: UInt8, green: UInt8, blue: UInt8)? {
    switch kind {
    case .standard: return nil
    case .rgb: return (red, green, blue)
    case .palette: return Palette.components(of: paletteIndex)
    }
  }
}

/// The number of colours that a terminal can show.
public enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  /// No colours; bold, dim, underline and reverse still work.
  case none
  /// The 16 named colours.
  case ansi16
  /// The 256-colour palette.
  case palette256
  /// 24-bit colour.
  case trueColor

  /// Whether the left depth has fewer colours.
  public static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Color {
  /// Returns the nearest colour available at a colour depth.
  func reduced(to depth: ColorDepth) -> Color {
    switch (depth, kind) {
    case (_, .standard), (.trueColor, _), (.palette256, .palette):
      return self
    case (.none, _):
      return .standard
    case (.palette256, .rgb):
      return .palette(Palette.nearest256(red: red, green: green, blue: blue))
    case (.ansi16, .palette) where paletteIndex < 16:
      return self
    case (.ansi16, _):
      guard let (red, green, blue) = components else { return .standard }
      return .palette(Palette.nearest16(red: red, green: green, blue: blue))
    }
  }
}

extension ColorDepth {
  /// Determines the colour depth promised by the environment, before the terminal has reported
  /// anything.
  ///
  /// A non-empty `NO_COLOR` or `CLICOLOR=0` means no colours; `COLORTERM` set to `truecolor` or
  /// `24bit` means all of them; otherwise `TERM` decides.
  public init(environment: [String: String]) {
    if environment["NO_COLOR"]?.isEmpty == false || environment["CLICOLOR"] == "0" {
      self = .none
      return
    }
    let term = environment["TERM"] ?? ""
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct")
    {
      self = .trueColor
    } else if term.hasSuffix("-256color") {
      self = .palette256
    } else if ["kitty", "ghostty", "alacritty", "foot", "wezterm", "contour"].contains(
      where: term.contains)
    {
      self = .trueColor
    } else if ["vt", "dumb", "ansi-m"].contains(where: term.hasPrefix) || term.hasSuffix("-m") {
      self = .none
    } else {
      self = .ansi16
    }
  }
}

extension Color {
  /// The relative luminance according to WCAG 2.2, or `nil` for the terminal's default colour.
  public var luminance: Double? {
    guard let (red, green, blue) = components else { return nil }
    return 0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// Returns the contrast ratio of two colours according to WCAG 2.2, from 1 to 21; `nil` if either
  /// is the terminal's default. Level AA requires 4.5 for text and 3 for lines and marks.
  public func contrast(to other: Color) -> Double? {
    guard let mine = luminance, let others = other.luminance else { return nil }
    return (max(mine, others) + 0.05) / (min(mine, others) + 0.05)
  }

  /// Converts a component from sRGB to linear light: linear near black, above that a power of 2.4,
  /// computed as b² · (the fifth root of b)² with b = (c + 0.055) / 1.055.
  private static func linear(_ component: UInt8) -> Double {
    let value = Double(component) / 255
    if value <= 0.04045 { return value / 12.92 }
    let base = (value + 0.055) / 1.055
    let fifthRoot = root5(of: base)
    return base * base * fifthRoot * fifthRoot
  }

  /// Returns the fifth root of a number in 0...1 by Newton's method.
  private static func root5(of value: Double) -> Double {
    guard value > 0 else { return 0 }
    var root = 1.0
    for _ in 0..<40 {
      let fourth = root * root * root * root
      root -= (root * fourth - value) / (5 * fourth)
    }
    return root
  }
}
