/// A reducer from a closure.
public struct Reduce<State, Action: Sendable>: Reducer {
  /// A closure has no body.
  public typealias Body = Never

  private let closure: (inout State, Action) -> Effect<Action>

  /// Makes a reducer from a closure that changes the state and returns the effects that follow.
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    closure = reduce
  }

  /// Runs the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    closure(&state, action)
  }
}

/// A reducer that does nothing.
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  /// It has no body.
  public typealias Body = Never

  /// Makes a reducer that does nothing.
  public init() {}

  /// Changes nothing.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

/// Reducers as one, for an operator that shall apply to all of them.
public struct CombineReducers<State, Action: Sendable>: Reducer {
  /// It is its reducers.
  public typealias Body = Never

  private let node: ReducerNode<State, Action>

  /// Makes one reducer of several, which run in the order written.
  public init<R: Reducer>(@ReducerBuilder<State, Action> _ reducers: () -> R)
  where R.State == State, R.Action == Action { node = reducers().makeNode() }

  /// Runs the reducers in order and merges their effects.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduce(&state, action)
  }

  /// The node of the reducers.
  public func makeNode() -> ReducerNode<State, Action> { node }
}
