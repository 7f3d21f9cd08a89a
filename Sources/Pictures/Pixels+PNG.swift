import CPNG
import Clients
import FoundationEssentials

extension Pixels {
  /// Decodes a PNG picture of any kind.
  init(png data: Data) throws(PictureError) {
    var image = png_image()
    image.version = png_uint_32(PNG_IMAGE_VERSION)
    // libpng's simplified interface ends its jumps itself.
    defer { png_image_free(&image) }
    let bytes = Array(data)
    guard png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0 else { throw .damaged }
    let (width, height) = (Int(image.width), Int(image.height))
    guard width > 0, height > 0 else { throw .damaged }
    guard width * height <= PixelPicture.pixelLimit else { throw .tooManyPixels }
    image.format = 3  // PNG_FORMAT_RGBA, a macro that Swift does not import.
    var rgba = [UInt8](repeating: 0, count: 4 * width * height)
    guard png_image_finish_read(&image, nil, &rgba, 0, nil) != 0 else { throw .damaged }
    self.init(width: width, height: height, rgba: rgba)
  }
}
