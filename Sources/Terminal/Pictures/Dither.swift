/// Ordered dithering with Bayer's matrix: few colours look like many, and a picture that does not
/// change does not flicker.
enum Dither {
  private static let matrix: [Int] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  /// The pixel moved within a step between two shades, as its place says.
  /// - Parameter step: How far apart the shades are that can be shown.
  static func apply(_ pixel: Pixel, x: Int, y: Int, step: Int) -> Pixel {
    let threshold = matrix[(y & 3) * 4 + (x & 3)]
    let offset = (2 * threshold - 15) * step / 32
    return Pixel(
      red: UInt8(clamping: Int(pixel.red) + offset),
      green: UInt8(clamping: Int(pixel.green) + offset),
      blue: UInt8(clamping: Int(pixel.blue) + offset))
  }

  /// How far apart the shades of each component are; `nil` where all can be shown.
  static func step(for depth: ColorDepth) -> Int? {
    switch depth {
    case .trueColor: nil
    case .palette256: 40
    case .ansi16, .none: 128
    }
  }
}
