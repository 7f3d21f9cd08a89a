/// Sides of a rectangle.
public struct Edges: OptionSet, Hashable, Sendable {
  /// One bit for each side.
  public let rawValue: UInt8

  /// Creates a set of sides from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// The upper side.
  public static let top = Edges(rawValue: 1)
  /// The left side.
  public static let leading = Edges(rawValue: 2)
  /// The lower side.
  public static let bottom = Edges(rawValue: 4)
  /// The right side.
  public static let trailing = Edges(rawValue: 8)
  /// Left and right.
  public static let horizontal: Edges = [.leading, .trailing]
  /// Top and bottom.
  public static let vertical: Edges = [.top, .bottom]
  /// All four sides.
  public static let all: Edges = [.horizontal, .vertical]
}
