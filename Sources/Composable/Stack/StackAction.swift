/// An action of a stack of features.
public enum StackAction<State, Action> {
  /// An action of an element.
  case element(id: StackElementID, action: Action)
  /// Removes an element and all above it, after the parent has handled the action.
  case popFrom(id: StackElementID)
  /// Puts an element on top, before the parent handles the action.
  case push(State)
}

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}

/// The action of a stack whose elements a reducer handles: `case path(StackActionOf<Path>)`.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>
