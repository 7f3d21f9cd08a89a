/// What happens on a stack of features.
public enum StackAction<State, Action> {
  /// The action of an element.
  case element(id: StackElementID, action: Action)
  /// An element and all above it are taken off, after the parent has seen it.
  case popFrom(id: StackElementID)
  /// An element is put on top, before the parent sees it.
  case push(State)
}

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}

/// The action of a stack of a reducer's features: `case path(StackActionOf<Path>)`.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>
