/// Where something stands from left to right.
public enum HorizontalAlignment: Hashable, Sendable {
  case leading, center, trailing

  func offset(of extent: Int, in space: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: (space - extent) / 2
    case .trailing: space - extent
    }
  }
}

/// Where something stands from top to bottom.
public enum VerticalAlignment: Hashable, Sendable {
  case top, center, bottom

  func offset(of extent: Int, in space: Int) -> Int {
    switch self {
    case .top: 0
    case .center: (space - extent) / 2
    case .bottom: space - extent
    }
  }
}

/// Where something stands in a rectangle.
public struct Alignment: Hashable, Sendable {
  /// From left to right.
  public var horizontal: HorizontalAlignment
  /// From top to bottom.
  public var vertical: VerticalAlignment

  /// A place by its two directions.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// At the top left.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// In the middle of the top.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// At the top right.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// In the middle of the left.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// In the middle.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// In the middle of the right.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// At the bottom left.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// In the middle of the bottom.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// At the bottom right.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)

  /// The rectangle of a size, aligned in another rectangle.
  func place(_ size: Size, in rect: Rect) -> Rect {
    Rect(
      origin: rect.origin.offset(
        columns: horizontal.offset(of: size.columns, in: rect.columns),
        rows: vertical.offset(of: size.rows, in: rect.rows)),
      size: size)
  }
}
