public import Clients
import Dispatch
import FoundationEssentials

extension QRCodeClient {
  /// A client that draws codes with libqrencode, reads them with zxing-cpp, and saves them as SVG
  /// or, with libpng, as PNG.
  public static let live = Self {
    $0.modules = { (text: String) async throws(QRCodeError) in try QRSymbol(text).modules }
    $0.save = { (modules: [[Bool]], path: String) async throws(QRCodeError) in
      let picture = QRPicture(modules)
      let bytes: [UInt8]
      switch path.lowercased() {
      case let name where name.hasSuffix(".svg"): bytes = Array(picture.svg.utf8)
      case let name where name.hasSuffix(".png"): bytes = try picture.png(for: path)
      default: throw .unknownFormat
      }
      try NewFile(path).write(bytes)
    }
    $0.text = { (picture: Data) async throws(QRCodeError) in
      guard picture.count <= sizeLimit else { throw .tooManyPixels }
      // A large picture takes a second, and no other task must wait for it.
      return try await withCheckedContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
          continuation.resume(
            returning: Result { () throws(QRCodeError) in
              try QRScan.text(in: GreyPicture(decoding: picture))
            })
        }
      }
      .get()
    }
  }
}
