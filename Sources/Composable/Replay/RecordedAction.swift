public import FoundationEssentials

/// A line of a recording: an action and when it was reduced.
public struct RecordedAction<Action> {
  /// The action.
  public var action: Action
  /// The time that reducers read while the action was reduced.
  public var date: Date

  /// Creates a line.
  public init(_ action: Action, date: Date) {
    self.action = action
    self.date = date
  }
}

extension RecordedAction: Equatable where Action: Equatable {}
extension RecordedAction: Sendable where Action: Sendable {}
extension RecordedAction: Encodable where Action: Encodable {}
extension RecordedAction: Decodable where Action: Decodable {}
