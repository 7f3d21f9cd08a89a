/// A description of a running effect.
public struct EffectInFlight: Hashable, Sendable {
  /// Where the effect was made.
  public var location: IssueLocation
  /// The names of the ids that can cancel the effect, outermost first.
  public var ids: [String]

  /// Creates the description of an effect.
  public init(location: IssueLocation, ids: [String] = []) {
    self.location = location
    self.ids = ids
  }
}

extension EffectInFlight: Comparable {
  /// Orders effects by their place in the source, then by ids.
  public static func < (left: Self, right: Self) -> Bool {
    let (a, b) = (left.location, right.location)
    return (a.fileID, a.line, a.column, left.ids.joined(separator: " "))
      < (b.fileID, b.line, b.column, right.ids.joined(separator: " "))
  }
}
