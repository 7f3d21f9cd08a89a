public import FoundationEssentials

/// An action, and when it was reduced: a line of a recording.
public struct RecordedAction<Action> {
  /// The action.
  public var action: Action
  /// The time that the reducers read.
  public var date: Date

  /// Makes a line.
  public init(_ action: Action, date: Date) {
    self.action = action
    self.date = date
  }
}

extension RecordedAction: Equatable where Action: Equatable {}
extension RecordedAction: Sendable where Action: Sendable {}
extension RecordedAction: Encodable where Action: Encodable {}
extension RecordedAction: Decodable where Action: Decodable {}
