/// Several reducers as one, for an operator that applies to all of them.
public struct CombineReducers<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  @usableFromInline let node: ReducerNode<State, Action>

  /// Creates one reducer of several, which run in the order written.
  @inlinable
  public init<R: Reducer>(@ReducerBuilder<State, Action> _ reducers: () -> R)
  where R.State == State, R.Action == Action { node = reducers().makeNode() }

  /// Runs the reducers in order and merges their effects.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduceDirectly(&state, action)
  }

  /// Returns the node of the reducers.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { node }
}
