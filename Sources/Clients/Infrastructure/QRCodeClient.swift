public import Composable
public import FoundationEssentials

/// The drawing and reading of QR codes.
public struct QRCodeClient: ClientInterface {
  /// Returns the rows of the smallest code for a text, `true` for dark, without the light zone
  /// around it.
  public var modules: @Sendable (_ text: String) async throws(QRCodeError) -> [[Bool]] =
    unimplemented("QRCodeClient.modules")
  /// Writes a picture of a code with its light zone, in the format of the name's extension: `.png`
  /// or `.svg`. An existing file is left unchanged.
  public var save:
    @Sendable (_ modules: [[Bool]], _ path: String) async throws(QRCodeError) -> Void =
      unimplemented("QRCodeClient.save")
  /// Returns the text of the only QR code in a PNG or JPEG picture.
  @Endpoint("QRCodeClient.text")
  public var text: @Sendable (_ picture: Data) async throws(QRCodeError) -> String

  /// The most bytes of a picture that is read.
  public static let sizeLimit = 20 << 20

  public init() {}
}

extension DependencyValues {
  public var qrCodeClient: QRCodeClient {
    get { self[QRCodeClient.self] }
    set { self[QRCodeClient.self] = newValue }
  }
}
