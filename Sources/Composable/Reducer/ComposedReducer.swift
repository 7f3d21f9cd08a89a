/// The result of operators and builders: a reducer already in the form that a store runs.
public struct ComposedReducer<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  @usableFromInline let node: ReducerNode<State, Action>

  @inlinable
  init(_ node: ReducerNode<State, Action>) { self.node = node }

  /// Runs the reducers that it is composed of.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduceDirectly(&state, action)
  }

  /// Returns the node, which exists already.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { node }
}
