/// How many colours the terminal shows.
public enum ColorDepth: Int, Comparable, Sendable, CaseIterable {
  /// No colour; bold, dim, underline and reverse are still used.
  case none
  /// The 16 named colours.
  case ansi16
  /// The palette of 256.
  case palette256
  /// 24-bit colour.
  case trueColor

  /// Whether the left one has fewer colours.
  public static func < (left: ColorDepth, right: ColorDepth) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Color {
  /// The nearest colour that a terminal of this depth shows.
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
