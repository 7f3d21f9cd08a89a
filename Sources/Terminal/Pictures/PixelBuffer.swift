/// The pixels of a picture: red, green, blue and opacity, eight bits each.
///
/// Copies share their storage, so that two buffers that come from one are compared at once.
public struct PixelBuffer: Hashable, Sendable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// Four bytes for each pixel – red, green, blue, opacity –, row by row.
  public let bytes: [UInt8]

  /// Pixels as they come from a decoder.
  /// - Precondition: There are four bytes for each pixel, and at least one pixel.
  public init(width: Int, height: Int, rgba bytes: [UInt8]) {
    precondition(width > 0 && height > 0, "A picture has at least one pixel.")
    precondition(bytes.count == 4 * width * height, "A pixel has four bytes.")
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Pixels that are computed one by one.
  /// - Precondition: There is at least one pixel.
  public init(
    width: Int, height: Int, color: (_ x: Int, _ y: Int) -> (red: UInt8, green: UInt8, blue: UInt8)
  ) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = color(x, y)
        bytes += [red, green, blue, 255]
      }
    }
    self.init(width: width, height: height, rgba: bytes)
  }
}

/// One pixel in front of a known ground.
struct Pixel: Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// How bright it looks, 0 to 255 (ITU-R BT.601).
  var luma: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000 }

  /// The colour of the pixel.
  var color: Color { .rgb(red, green, blue) }
}

extension PixelBuffer {
  /// The picture in another size, each new pixel being the mean of those that it stands for.
  /// - Complexity: O(old pixels + new pixels).
  func resampled(width newWidth: Int, height newHeight: Int) -> PixelBuffer {
    guard newWidth != width || newHeight != height else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(4 * newWidth * newHeight)
    for row in 0..<newHeight {
      let top = row * height / newHeight
      let bottom = max(top + 1, (row + 1) * height / newHeight)
      for column in 0..<newWidth {
        let left = column * width / newWidth
        let right = max(left + 1, (column + 1) * width / newWidth)
        result += mean(left..<right, top..<bottom)
      }
    }
    return PixelBuffer(width: newWidth, height: newHeight, rgba: result)
  }

  /// The mean of a rectangle of pixels; what cannot be seen does not colour it.
  private func mean(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
    var (red, green, blue, alpha) = (0, 0, 0, 0)
    for y in rows {
      for x in columns {
        let index = 4 * (y * width + x)
        let opacity = Int(bytes[index + 3])
        red += Int(bytes[index]) * opacity
        green += Int(bytes[index + 1]) * opacity
        blue += Int(bytes[index + 2]) * opacity
        alpha += opacity
      }
    }
    guard alpha > 0 else { return [0, 0, 0, 0] }
    let half = alpha / 2
    let count = columns.count * rows.count
    return [
      UInt8((red + half) / alpha), UInt8((green + half) / alpha), UInt8((blue + half) / alpha),
      UInt8((alpha + count / 2) / count),
    ]
  }

  /// The pixel at a place in front of a ground; `nil` when it cannot be seen.
  func pixel(x: Int, y: Int, on ground: Pixel) -> Pixel? {
    let index = 4 * (y * width + x)
    let opacity = Int(bytes[index + 3])
    guard opacity > 0 else { return nil }
    func blend(_ above: UInt8, _ below: UInt8) -> UInt8 {
      UInt8((Int(above) * opacity + Int(below) * (255 - opacity) + 127) / 255)
    }
    return Pixel(
      red: blend(bytes[index], ground.red), green: blend(bytes[index + 1], ground.green),
      blue: blend(bytes[index + 2], ground.blue))
  }
}
