public import Terminal

/// A picture shown above the cells of the in-memory terminal.
public struct ShownPicture: Hashable, Sendable {
  /// The protocol of a picture.
  public enum Source: Hashable, Sendable {
    /// The kitty graphics protocol, with the picture's identifier.
    case kitty(id: Int)
    /// Sixels.
    case sixel
  }

  /// The protocol with which the picture was sent.
  public let source: Source
  /// The cells covered by the picture.
  public let rect: Rect
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The red, green, blue and opacity of each pixel, row by row.
  public let pixels: [UInt8]
}
