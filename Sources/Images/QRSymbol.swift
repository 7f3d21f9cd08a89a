import CQRencode
import Clients
import Glibc

/// The smallest QR code for a text, made with libqrencode.
///
/// The weakest of the four levels of error correction is enough on a screen, where nothing gets
/// dirty, and makes a code that fits into 24 lines.
struct QRSymbol {
  /// The rows from top to bottom; `true` is dark.
  let modules: [[Bool]]

  init(_ text: String) throws(QRCodeError) {
    let bytes = Array(text.utf8)
    // The library refuses an empty text.
    guard !bytes.isEmpty,
      let code = QRcode_encodeData(Int32(clamping: bytes.count), bytes, 0, QR_ECLEVEL_L)
    else { throw .tooLong }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    // One byte for each module; its lowest bit says whether it is dark.
    let data = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
    modules = (0..<width).map { row in
      (0..<width).map { column in data[row * width + column] & 1 == 1 }
    }
  }
}
