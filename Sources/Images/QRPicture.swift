import CPNG
import Clients

/// A QR code as a picture, with the quiet zone around it that scanners need (ISO/IEC 18004, 9.1).
struct QRPicture {
  private let rows: [[Bool]]
  private var side: Int { rows.count }

  private static let quietZone = 4
  /// The side of a module, in pixels.
  private static let scale = 8

  init(_ modules: [[Bool]]) {
    let margin = [Bool](repeating: false, count: Self.quietZone)
    let blank = [[Bool]](
      repeating: [Bool](repeating: false, count: modules.count + 2 * Self.quietZone),
      count: Self.quietZone)
    rows = blank + modules.map { margin + $0 + margin } + blank
  }

  /// The picture as SVG: one square per dark module, on white.
  var svg: String {
    var path = ""
    for (y, row) in rows.enumerated() {
      for (x, isDark) in row.enumerated() where isDark { path += "M\(x) \(y)h1v1h-1z" }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" \
      width="\(side * Self.scale)" height="\(side * Self.scale)" shape-rendering="crispEdges">\
      <rect width="\(side)" height="\(side)" fill="#fff"/><path d="\(path)"/></svg>

      """
  }

  /// Returns the picture as grey PNG.
  func png(for path: String) throws(QRCodeError) -> [UInt8] {
    let pixels: [UInt8] = rows.flatMap { row in
      let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: Self.scale) }
      return (0..<Self.scale).flatMap { _ in line }
    }
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    image.width = png_uint_32(side * Self.scale)
    image.height = png_uint_32(side * Self.scale)
    image.format = 0  // PNG_FORMAT_GRAY, a macro that Swift does not import.
    defer { png_image_free(&image) }
    var count: png_alloc_size_t = 0
    guard png_image_write_to_memory(&image, nil, &count, 0, pixels, 0, nil) != 0 else {
      throw .cannotWrite(path: path, reason: image.reason)
    }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard png_image_write_to_memory(&image, &bytes, &count, 0, pixels, 0, nil) != 0 else {
      throw .cannotWrite(path: path, reason: image.reason)
    }
    return bytes
  }
}

extension png_image {
  /// The reason for a failure, from libpng.
  fileprivate var reason: String {
    withUnsafeBytes(of: message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
