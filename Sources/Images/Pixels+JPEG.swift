import CJPEGShim
import Clients
import FoundationEssentials
import Glibc

extension Pixels {
  /// Decodes a JPEG picture, reduced while it is larger than what is shown.
  init(jpeg data: Data) throws(PictureError) {
    var result = lifesignal_jpeg()
    let bytes = Array(data)
    let outcome = lifesignal_jpeg_decode(
      bytes, bytes.count, UInt32(PixelPicture.sideLimit), UInt64(PixelPicture.pixelLimit), &result)
    switch outcome {
    case LIFESIGNAL_JPEG_OK: break
    case LIFESIGNAL_JPEG_TOO_LARGE: throw .tooManyPixels
    default: throw .damaged
    }
    defer { free(result.pixels) }
    let (width, height) = (Int(result.width), Int(result.height))
    guard width > 0, height > 0, let pixels = result.pixels else { throw .damaged }
    var rgba: [UInt8] = []
    rgba.reserveCapacity(4 * width * height)
    for index in stride(from: 0, to: 3 * width * height, by: 3) {
      rgba.append(pixels[index])
      rgba.append(pixels[index + 1])
      rgba.append(pixels[index + 2])
      rgba.append(255)
    }
    self.init(width: width, height: height, rgba: rgba)
  }
}
