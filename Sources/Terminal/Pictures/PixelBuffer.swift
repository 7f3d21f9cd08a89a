/// The pixels of a picture: red, green, blue and opacity, eight bits each.
///
/// Copies share their storage, which makes comparing them fast.
public struct PixelBuffer: Hashable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The pixels row by row, with four bytes each: red, green, blue and opacity.
  public let bytes: [UInt8]

  /// Creates a buffer from decoded pixels.
  /// - Precondition: There are four bytes for each pixel, and at least one pixel.
  public init(width: Int, height: Int, rgba bytes: [UInt8]) {
    precondition(width > 0 && height > 0, "A picture has at least one pixel.")
    precondition(bytes.count == 4 * width * height, "A pixel has four bytes.")
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Creates a buffer by computing each pixel.
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

/// One opaque pixel, the result of blending with a background.
struct Pixel: Hashable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  /// The perceived brightness, 0 to 255 (ITU-R BT.601).
  var luma: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1000 }

  /// The colour of the pixel.
  var color: Color { .rgb(red, green, blue) }
}

extension PixelBuffer {
  /// Returns the picture in another size. Each new pixel is the mean of those it covers.
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

  /// Returns the mean of a rectangle of pixels, weighted by opacity so that transparent pixels
  /// don't affect the colour.
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

  /// Returns a pixel blended with a background; `nil` if it is fully transparent.
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
