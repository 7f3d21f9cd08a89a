/// Collects the reducers of a body; they run in the order written.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// One reducer.
  @inlinable
  public static func buildExpression<R: Reducer>(_ reducer: R) -> R
  where R.State == State, R.Action == Action { reducer }

  /// An empty body.
  @inlinable
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// The first reducer of a body.
  @inlinable
  public static func buildPartialBlock<R: Reducer>(first: R) -> R
  where R.State == State, R.Action == Action { first }

  /// One more reducer of a body.
  @inlinable
  public static func buildPartialBlock<A: Reducer, B: Reducer>(
    accumulated: A, next: B
  ) -> ComposedReducer<State, Action>
  where A.State == State, A.Action == Action, B.State == State, B.Action == Action {
    ComposedReducer(accumulated.makeNode().then(next.makeNode()))
  }

  /// An `if` without `else`.
  @inlinable
  public static func buildOptional<R: Reducer>(_ reducer: R?) -> R?
  where R.State == State, R.Action == Action { reducer }

  /// The first branch of an `if`.
  @inlinable
  public static func buildEither<R: Reducer>(first: R) -> ComposedReducer<State, Action>
  where R.State == State, R.Action == Action { ComposedReducer(first.makeNode()) }

  /// The second branch of an `if`.
  @inlinable
  public static func buildEither<R: Reducer>(second: R) -> ComposedReducer<State, Action>
  where R.State == State, R.Action == Action { ComposedReducer(second.makeNode()) }

  /// A loop.
  @inlinable
  public static func buildArray<R: Reducer>(_ reducers: [R]) -> ComposedReducer<State, Action>
  where R.State == State, R.Action == Action {
    ComposedReducer(reducers.reduce(EmptyReducer().makeNode()) { $0.then($1.makeNode()) })
  }
}

/// A reducer that may be missing, as an `if` without `else` makes it: then it does nothing.
extension Optional: Reducer where Wrapped: Reducer {
  /// What the reducer reduces.
  public typealias State = Wrapped.State
  /// What the reducer reacts to.
  public typealias Action = Wrapped.Action
  /// It has no body.
  public typealias Body = Never

  /// Runs the reducer, if there is one.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    makeNode().reduceByHand(&state, action)
  }

  /// The node of the reducer, if there is one.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> {
    self?.makeNode() ?? EmptyReducer().makeNode()
  }
}
