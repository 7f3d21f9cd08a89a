/// Collects the reducers of a body, which run in the order written.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// Accepts one reducer.
  @inlinable
  public static func buildExpression<R: Reducer>(_ reducer: R) -> R
  where R.State == State, R.Action == Action { reducer }

  /// Builds an empty body.
  @inlinable
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// Builds a body from its first reducer.
  @inlinable
  public static func buildPartialBlock<R: Reducer>(first: R) -> R
  where R.State == State, R.Action == Action { first }

  /// Adds a reducer to a body.
  @inlinable
  public static func buildPartialBlock<A: Reducer, B: Reducer>(
    accumulated: A, next: B
  ) -> ComposedReducer<State, Action>
  where A.State == State, A.Action == Action, B.State == State, B.Action == Action {
    ComposedReducer(accumulated.makeNode().then(next.makeNode()))
  }

  /// Builds an `if` without `else`.
  @inlinable
  public static func buildOptional<R: Reducer>(_ reducer: R?) -> R?
  where R.State == State, R.Action == Action { reducer }

  /// Builds the first branch of an `if`.
  @inlinable
  public static func buildEither<R: Reducer>(first: R) -> ComposedReducer<State, Action>
  where R.State == State, R.Action == Action { ComposedReducer(first.makeNode()) }

  /// Builds the second branch of an `if`.
  @inlinable
  public static func buildEither<R: Reducer>(second: R) -> ComposedReducer<State, Action>
  where R.State == State, R.Action == Action { ComposedReducer(second.makeNode()) }

  /// Builds a loop.
  @inlinable
  public static func buildArray<R: Reducer>(_ reducers: [R]) -> ComposedReducer<State, Action>
  where R.State == State, R.Action == Action {
    ComposedReducer(reducers.reduce(EmptyReducer().makeNode()) { $0.then($1.makeNode()) })
  }
}

/// An optional reducer, as an `if` without `else` makes it. `nil` does nothing.
extension Optional: Reducer where Wrapped: Reducer {
  /// The state of the wrapped reducer.
  public typealias State = Wrapped.State
  /// The action of the wrapped reducer.
  public typealias Action = Wrapped.Action
  /// Has no body.
  public typealias Body = Never

  /// Runs the reducer, if there is one.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    makeNode().reduceDirectly(&state, action)
  }

  /// Returns the node of the reducer, or an empty node if there is none.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> {
    self?.makeNode() ?? EmptyReducer().makeNode()
  }
}

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

/// A reducer that does nothing.
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  /// Creates a reducer that does nothing.
  @inlinable
  public init() {}

  /// Changes nothing.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
