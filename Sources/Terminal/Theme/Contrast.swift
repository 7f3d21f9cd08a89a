extension Color {
  /// The relative luminance of WCAG 2.2, or `nil` for the terminal's own colour.
  public var luminance: Double? {
    guard let (red, green, blue) = components else { return nil }
    return 0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The contrast ratio of WCAG 2.2 between two colours, 1 to 21; `nil` when one of them is the
  /// terminal's own. AA asks for 4.5 for text and 3 for lines and marks.
  public func contrast(to other: Color) -> Double? {
    guard let mine = luminance, let others = other.luminance else { return nil }
    return (max(mine, others) + 0.05) / (min(mine, others) + 0.05)
  }

  /// The component from sRGB's curve to linear light: below the toe a line, above it a power of
  /// 2.4, taken as ((c + 0.055) / 1.055)² · its fifth root squared.
  private static func linear(_ component: UInt8) -> Double {
    let value = Double(component) / 255
    if value <= 0.04045 { return value / 12.92 }
    let base = (value + 0.055) / 1.055
    let fifthRoot = root5(of: base)
    return base * base * fifthRoot * fifthRoot
  }

  /// The fifth root of a number in 0...1 by Newton's method.
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
