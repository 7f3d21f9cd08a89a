public import Composable
public import FoundationEssentials

/// Draws QR codes, and reads them.
public struct QRCodeClient: ClientInterface {
  /// The rows of the smallest code that holds a text, `true` for dark, without the light zone around
  /// it.
  public var modules: @Sendable (_ text: String) async throws(QRCodeError) -> [[Bool]] =
    unimplemented("QRCodeClient.modules")
  /// Writes a picture of a code, its light zone included, as its name's ending says: `.png` or `.svg`.
  /// A file that is there is left alone.
  public var save:
    @Sendable (_ modules: [[Bool]], _ path: String) async throws(QRCodeError) -> Void =
      unimplemented("QRCodeClient.save")
  /// The text of the one QR code in a PNG or JPEG picture.
  @Endpoint("QRCodeClient.text")
  public var text: @Sendable (_ picture: Data) async throws(QRCodeError) -> String

  /// How many bytes a picture may have that is read.
  public static let sizeLimit = 20 << 20

  public init() {}
}

extension DependencyValues {
  public var qrCodeClient: QRCodeClient {
    get { self[QRCodeClient.self] }
    set { self[QRCodeClient.self] = newValue }
  }
}
