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
