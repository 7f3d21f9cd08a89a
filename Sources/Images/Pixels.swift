import Clients
import FoundationEssentials

/// A decoded picture of any size: four bytes for each pixel, row by row.
struct Pixels: Equatable {
  var width: Int
  var height: Int
  var rgba: [UInt8]

  var picture: PixelPicture { PixelPicture(width: width, height: height, rgba: Data(rgba)) }

  /// Returns the picture scaled down so that no side is longer than so many pixels. Each new pixel
  /// is the mean of those that it replaces. O(pixels).
  func scaled(toFit side: Int) -> Pixels {
    let longest = max(width, height)
    guard longest > side else { return self }
    let newWidth = max(1, width * side / longest)
    let newHeight = max(1, height * side / longest)
    var result: [UInt8] = []
    result.reserveCapacity(4 * newWidth * newHeight)
    for row in 0..<newHeight {
      let rows = row * height / newHeight..<(row + 1) * height / newHeight
      for column in 0..<newWidth {
        result += mean(
          columns: column * width / newWidth..<(column + 1) * width / newWidth, rows: rows)
      }
    }
    return Pixels(width: newWidth, height: newHeight, rgba: result)
  }

  /// Returns the mean of a rectangle, in which transparent pixels have no weight.
  private func mean(columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    rgba.withUnsafeBufferPointer { rgba in
      var (red, green, blue, alpha) = (0, 0, 0, 0)
      for row in rows {
        for index in stride(
          from: 4 * (row * width + columns.lowerBound), to: 4 * (row * width + columns.upperBound),
          by: 4)
        {
          let opacity = Int(rgba[index + 3])
          red += Int(rgba[index]) * opacity
          green += Int(rgba[index + 1]) * opacity
          blue += Int(rgba[index + 2]) * opacity
          alpha += opacity
        }
      }
      guard alpha > 0 else { return [0, 0, 0, 0] }
      return [
        UInt8(red / alpha), UInt8(green / alpha), UInt8(blue / alpha),
        UInt8(alpha / (columns.count * rows.count)),
      ]
    }
  }

  /// Returns the picture turned upright.
  func turned(_ orientation: JPEGOrientation) -> Pixels {
    guard orientation != .upright else { return self }
    let swapsSides = orientation.swapsSides
    let (newWidth, newHeight) = swapsSides ? (height, width) : (width, height)
    var result: [UInt8] = []
    result.reserveCapacity(rgba.count)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        // The place of the pixel in the file.
        var (column, row) = swapsSides ? (y, x) : (x, y)
        if orientation.isMirroredInColumns { column = width - 1 - column }
        if orientation.isMirroredInRows { row = height - 1 - row }
        let index = 4 * (row * width + column)
        result += rgba[index..<index + 4]
      }
    }
    return Pixels(width: newWidth, height: newHeight, rgba: result)
  }
}
