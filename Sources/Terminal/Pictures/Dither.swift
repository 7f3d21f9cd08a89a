/// Ordered dithering with a Bayer matrix: simulates more colours than are available, without
/// flicker as long as the picture doesn't change.
enum Dither {
  private static let matrix: [Int] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]

  /// Returns the pixel shifted within one step between two shades, depending on its position.
  /// - Parameter step: The distance between the available shades.
  static func apply(_ pixel: Pixel, x: Int, y: Int, step: Int) -> Pixel {
    let threshold = matrix[(y & 3) * 4 + (x & 3)]
    let offset = (2 * threshold - 15) * step / 32
    return Pixel(
      red: UInt8(clamping: Int(pixel.red) + offset),
      green: UInt8(clamping: Int(pixel.green) + offset),
      blue: UInt8(clamping: Int(pixel.blue) + offset))
  }

  /// Returns the distance between the available shades of each component; `nil` if all are
  /// available.
  static func step(for depth: ColorDepth) -> Int? {
    switch depth {
    case .trueColor: nil
    case .palette256: 40
    case .ansi16, .none: 128
    }
  }
}
