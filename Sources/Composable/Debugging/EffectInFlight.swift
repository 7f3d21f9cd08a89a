/// An effect of a store that runs now.
public struct EffectInFlight: Hashable, Sendable {
  /// Where it was made.
  public var location: IssueLocation
  /// The names of the ids that cancel it, the outermost first.
  public var ids: [String]

  /// Makes the description of an effect.
  public init(location: IssueLocation, ids: [String] = []) {
    self.location = location
    self.ids = ids
  }
}

extension EffectInFlight: Comparable {
  /// By place in the source, then by ids.
  public static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.location, right.location)
    return (a.fileID, a.line, a.column, left.ids.joined(separator: " "))
      < (b.fileID, b.line, b.column, right.ids.joined(separator: " "))
  }
}
