/// The 256 colours of xterm: 16 named ones, a 6×6×6 cube and 24 greys.
enum Palette {
  private static let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

  private static let named: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  static func components(of index: UInt8) -> (red: UInt8, green: UInt8, blue: UInt8) {
    switch index {
    case 0..<16:
      let value = named[Int(index)]
      return (UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    case 16..<232:
      let cube = Int(index) - 16
      return (cubeLevels[cube / 36], cubeLevels[cube / 6 % 6], cubeLevels[cube % 6])
    default:
      let grey = 8 + 10 * (index - 232)
      return (grey, grey, grey)
    }
  }

  /// Returns the nearest entry of the cube or the greys. Entries 0 to 15 are excluded, since users
  /// can redefine them.
  static func nearest256(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let cube = 16 + 36 * cubeStep(red) + 6 * cubeStep(green) + cubeStep(blue)
    let average = (Int(red) + Int(green) + Int(blue)) / 3
    let grey = 232 + min(23, max(0, (average - 3) / 10))
    let candidates = [UInt8(cube), UInt8(grey)]
    return candidates.min {
      distance(to: $0, red, green, blue) < distance(to: $1, red, green, blue)
    }!
  }

  /// Returns the nearest named colour.
  static func nearest16(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    (UInt8(0)..<16).min {
      distance(to: $0, red, green, blue) < distance(to: $1, red, green, blue)
    }!
  }

  private static func cubeStep(_ component: UInt8) -> Int {
    component < 48 ? 0 : component < 115 ? 1 : (Int(component) - 35) / 40
  }

  private static func distance(to index: UInt8, _ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int
  {
    let color = components(of: index)
    let dr = Int(color.red) - Int(red)
    let dg = Int(color.green) - Int(green)
    let db = Int(color.blue) - Int(blue)
    return 2 * dr * dr + 4 * dg * dg + 3 * db * db
  }
}
