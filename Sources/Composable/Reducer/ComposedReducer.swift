/// What operators and builders make: a reducer that is already in the form in which a store runs it.
public struct ComposedReducer<State, Action: Sendable>: Reducer {
  /// It has no body.
  public typealias Body = Never

  @usableFromInline let node: ReducerNode<State, Action>

  @inlinable
  init(_ node: ReducerNode<State, Action>) { self.node = node }

  /// Runs the reducers it is composed of.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduceByHand(&state, action)
  }

  /// The form in which a store runs it.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { node }
}
