import CZXingShim
import Clients
import Glibc

/// Finding QR codes in a picture, with zxing-cpp.
enum QRScan {
  /// Returns the text of the only code in a picture.
  static func text(in picture: GreyPicture) throws(QRCodeError) -> String {
    var result = lifesignal_qr()
    guard
      lifesignal_qr_read(
        picture.pixels, Int32(picture.width), Int32(picture.height), &result) != 0
    else { throw .noCode }
    defer { free(result.text) }
    guard let text = result.text else { throw .noCode }
    guard result.count == 1 else { throw .severalCodes }
    let bytes = UnsafeRawBufferPointer(start: text, count: result.length)
    return String(decoding: bytes, as: UTF8.self)
  }
}
