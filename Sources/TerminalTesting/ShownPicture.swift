public import Terminal

/// A picture that the in-memory terminal shows over its cells.
public struct ShownPicture: Hashable, Sendable {
  /// How it came.
  public enum Source: Hashable, Sendable {
    /// The kitty graphics protocol, with the number of the picture.
    case kitty(id: Int)
    /// Sixels.
    case sixel
  }

  /// How it came.
  public let source: Source
  /// The cells that it covers.
  public let rect: Rect
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// Red, green, blue and opacity of each pixel, row by row.
  public let pixels: [UInt8]
}
