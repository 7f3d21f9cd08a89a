public import Composable

/// Draws QR codes.
public struct QRCodeClient: Sendable {
  /// The rows of the smallest code that holds a text, `true` for dark, without the light zone around
  /// it.
  public var modules: @Sendable (_ text: String) async throws(QRCodeError) -> [[Bool]]
  /// Writes a picture of a code, its light zone included, as its name's ending says: `.png` or `.svg`.
  /// A file that is there is left alone.
  public var save: @Sendable (_ modules: [[Bool]], _ path: String) async throws(QRCodeError) -> Void

  public init(
    modules: @escaping @Sendable (String) async throws(QRCodeError) -> [[Bool]],
    save: @escaping @Sendable ([[Bool]], String) async throws(QRCodeError) -> Void
  ) {
    self.modules = modules
    self.save = save
  }
}

extension QRCodeClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      modules: unimplemented(
        "QRCodeClient.modules", throwing: QRCodeError.unimplemented("QRCodeClient.modules")),
      save: unimplemented(
        "QRCodeClient.save", throwing: QRCodeError.unimplemented("QRCodeClient.save")))
  }
}

extension DependencyValues {
  public var qrCodeClient: QRCodeClient {
    get { self[QRCodeClient.self] }
    set { self[QRCodeClient.self] = newValue }
  }
}
