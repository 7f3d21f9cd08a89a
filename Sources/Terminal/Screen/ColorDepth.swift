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
