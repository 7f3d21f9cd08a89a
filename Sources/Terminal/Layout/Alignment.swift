/// The position of something along the horizontal axis.
public enum HorizontalAlignment: Hashable, Sendable {
  /// At the left, in the middle, or at the right.
  case leading, center, trailing

  func offset(of extent: Int, in space: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: (space - extent) / 2
    case .trailing: space - extent
    }
  }
}

/// The position of something along the vertical axis.
public enum VerticalAlignment: Hashable, Sendable {
  /// At the top, in the middle, or at the bottom.
  case top, center, bottom

  func offset(of extent: Int, in space: Int) -> Int {
    switch self {
    case .top: 0
    case .center: (space - extent) / 2
    case .bottom: space - extent
    }
  }
}

/// The position of something within a rectangle.
public struct Alignment: Hashable, Sendable {
  /// The horizontal alignment.
  public var horizontal: HorizontalAlignment
  /// The vertical alignment.
  public var vertical: VerticalAlignment

  /// Creates an alignment from its two directions.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// Top left.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// Centre of the top edge.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// Top right.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// Centre of the left edge.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// Centre.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// Centre of the right edge.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// Bottom left.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// Centre of the bottom edge.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// Bottom right.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)

  /// Returns a rectangle of the given size, aligned within another rectangle.
  func place(_ size: Size, in rect: Rect) -> Rect {
    Rect(
      origin: rect.origin.offset(
        columns: horizontal.offset(of: size.columns, in: rect.columns),
        rows: vertical.offset(of: size.rows, in: rect.rows)),
      size: size)
  }
}
