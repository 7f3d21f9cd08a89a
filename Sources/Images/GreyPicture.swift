import CJPEGShim
import CPNG
import Clients
import Domain
import FoundationEssentials
import Glibc

/// A picture to scan for codes: one byte for each pixel, row by row, 0 for black.
struct GreyPicture: Equatable {
  var width: Int
  var height: Int
  var pixels: [UInt8]

  /// The largest number of pixels that are decoded; a file of a few bytes may claim billions.
  static let pixelLimit = 50_000_000
  /// A JPEG picture is halved as long as its shorter side keeps this many pixels: a code in a
  /// camera's picture is still larger than it need be.
  private static let side = 1_600
}

extension GreyPicture {
  /// Decodes a PNG or JPEG picture.
  init(decoding data: Data) throws(QRCodeError) {
    switch ContentType(of: data) {
    case .png: try self.init(png: Array(data))
    case .jpeg: try self.init(jpeg: Array(data))
    default: throw .unknownPicture
    }
  }

  private init(png bytes: [UInt8]) throws(QRCodeError) {
    // libpng keeps both addresses until it has finished.
    var image = png_image()
    self = try withUnsafeMutablePointer(to: &image) { image throws(QRCodeError) in
      try bytes.withUnsafeBufferPointer { bytes throws(QRCodeError) in
        try GreyPicture(png: bytes, by: image)
      }
    }
  }

  private init(
    png bytes: UnsafeBufferPointer<UInt8>, by image: UnsafeMutablePointer<png_image>
  ) throws(QRCodeError) {
    image.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
    // libpng's simplified interface handles its long jumps itself.
    defer { png_image_free(image) }
    guard png_image_begin_read_from_memory(image, bytes.baseAddress, bytes.count) != 0 else {
      throw .damagedPicture
    }
    (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
    guard width > 0, height > 0 else { throw .damagedPicture }
    guard width * height <= Self.pixelLimit else { throw .tooManyPixels }
    image.pointee.format = 0  // PNG_FORMAT_GRAY, a macro that Swift does not import.
    // Transparent parts are drawn on white, like paper.
    var white = png_color(red: 255, green: 255, blue: 255)
    pixels = [UInt8](repeating: 0, count: width * height)
    guard png_image_finish_read(image, &white, &pixels, 0, nil) != 0 else {
      throw .damagedPicture
    }
  }

  private init(jpeg bytes: [UInt8]) throws(QRCodeError) {
    var result = lifesignal_jpeg()
    let outcome = lifesignal_jpeg_decode(
      bytes, bytes.count, UInt32(Self.side), UInt64(Self.pixelLimit), &result)
    switch outcome {
    case LIFESIGNAL_JPEG_OK: break
    case LIFESIGNAL_JPEG_TOO_LARGE: throw .tooManyPixels
    default: throw .damagedPicture
    }
    defer { free(result.pixels) }
    (width, height) = (Int(result.width), Int(result.height))
    guard width > 0, height > 0, let colours = result.pixels else { throw .damagedPicture }
    // Luma of ITU-R BT.601, in 1,024ths.
    pixels = (0..<width * height).map { index in
      let (red, green, blue) = (
        Int(colours[3 * index]), Int(colours[3 * index + 1]), Int(colours[3 * index + 2])
      )
      return UInt8((306 * red + 601 * green + 117 * blue) >> 10)
    }
  }
}
