import Terminal

/// A computed landscape: the sun setting over the sea.
enum SampleImage {
  static let sunset = PixelBuffer(width: 160, height: 120) { x, y in
    let horizon = 74
    let (dx, dy) = (x - 100, y - 60)
    let distance = dx * dx + dy * dy
    if y < horizon {
      if distance < 24 * 24 { return shade((255, 236, 150), (255, 150, 60), y - 36, of: 48) }
      let glow = max(0, 90 - distance / 60)
      let sky = shade((32, 42, 96), (236, 120, 90), y, of: horizon)
      return lighter(sky, by: glow)
    }
    let depth = y - horizon
    let sea = shade((60, 70, 130), (10, 18, 48), depth, of: 120 - horizon)
    // The sun's reflection, broken by waves that widen towards the viewer.
    let wave = (x * 7 + depth * depth * 3) % 23
    let isLit = abs(dx) < 10 + depth / 2 && wave > 8 && depth % 4 != 3
    return isLit ? lighter((220, 130, 80), by: 20 - depth / 2) : sea
  }

  private typealias RGB = (red: UInt8, green: UInt8, blue: UInt8)

  /// Returns the colour at `step` of `count` between two colours.
  private static func shade(_ from: RGB, _ to: RGB, _ step: Int, of count: Int) -> RGB {
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      let step = min(max(0, step), count)
      return UInt8((Int(from) * (count - step) + Int(to) * step) / count)
    }
    return (mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue))
  }

  private static func lighter(_ color: RGB, by amount: Int) -> RGB {
    (
      UInt8(clamping: Int(color.red) + amount), UInt8(clamping: Int(color.green) + amount),
      UInt8(clamping: Int(color.blue) + amount)
    )
  }
}
