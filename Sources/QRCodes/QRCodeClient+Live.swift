public import Clients

extension QRCodeClient {
  /// Codes drawn by libqrencode, pictures written as they are or by libpng.
  public static let live = Self(
    modules: { (text: String) async throws(QRCodeError) in try QRSymbol(text).modules },
    save: { (modules: [[Bool]], path: String) async throws(QRCodeError) in
      let picture = QRPicture(modules)
      let bytes: [UInt8]
      switch path.lowercased() {
      case let name where name.hasSuffix(".svg"): bytes = Array(picture.svg.utf8)
      case let name where name.hasSuffix(".png"): bytes = try picture.png(for: path)
      default: throw .unknownFormat
      }
      try NewFile(path).write(bytes)
    })
}
