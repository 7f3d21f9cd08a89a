import CPNG
import Clients
import FoundationEssentials

extension Pixels {
  /// Decodes a PNG picture of any kind.
  init(png data: Data) throws(PictureError) {
    // libpng keeps both addresses until it has finished.
    var image = png_image()
    self = try withUnsafeMutablePointer(to: &image) { image throws(PictureError) in
      try Array(data).withUnsafeBufferPointer { bytes throws(PictureError) in
        try Pixels(png: bytes, by: image)
      }
    }
  }

  private init(
    png bytes: UnsafeBufferPointer<UInt8>, by image: UnsafeMutablePointer<png_image>
  ) throws(PictureError) {
    image.pointee.version = png_uint_32(PNG_IMAGE_VERSION)
    // libpng's simplified interface handles its long jumps itself.
    defer { png_image_free(image) }
    guard png_image_begin_read_from_memory(image, bytes.baseAddress, bytes.count) != 0 else {
      throw .damaged
    }
    let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
    guard width > 0, height > 0 else { throw .damaged }
    guard width * height <= PixelPicture.pixelLimit else { throw .tooManyPixels }
    image.pointee.format = 3  // PNG_FORMAT_RGBA, a macro that Swift does not import.
    var rgba = [UInt8](repeating: 0, count: 4 * width * height)
    guard png_image_finish_read(image, nil, &rgba, 0, nil) != 0 else { throw .damaged }
    self.init(width: width, height: height, rgba: rgba)
  }
}
