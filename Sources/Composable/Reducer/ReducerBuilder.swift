/// Collects the reducers of a body, which run in the order written.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// Accepts one reducer.
  @inlinable
  public static func buildExpression<R: Reducer>(_ reducer: R) -> Reduce<State, Action>
  where R.State == State, R.Action == Action { reducer.erased() }

  /// Builds an empty body.
  @inlinable
  public static func buildBlock() -> Reduce<State, Action> { EmptyReducer().erased() }

  /// Builds a body from its first reducer.
  @inlinable
  public static func buildPartialBlock(
    first: Reduce<State, Action>
  ) -> Reduce<State, Action> { first }

  /// Adds a reducer to a body.
  @inlinable
  public static func buildPartialBlock(
    accumulated: Reduce<State, Action>, next: Reduce<State, Action>
  ) -> Reduce<State, Action> { accumulated.then(next) }

  /// Builds an `if` without `else`.
  @inlinable
  public static func buildOptional(_ reducer: Reduce<State, Action>?) -> Reduce<State, Action> {
    reducer ?? buildBlock()
  }

  /// Builds the first branch of an `if`.
  @inlinable
  public static func buildEither(first: Reduce<State, Action>) -> Reduce<State, Action> { first }

  /// Builds the second branch of an `if`.
  @inlinable
  public static func buildEither(second: Reduce<State, Action>) -> Reduce<State, Action> { second }

  /// Builds a loop.
  @inlinable
  public static func buildArray(_ reducers: [Reduce<State, Action>]) -> Reduce<State, Action> {
    reducers.reduce(buildBlock()) { $0.then($1) }
  }
}

/// Several reducers as one, for an operator that applies to all of them.
public struct CombineReducers<State, Action: Sendable>: Reducer {
  /// Runs the reducers in order and merges their effects.
  public let body: Reduce<State, Action>

  /// Creates one reducer of several, which run in the order written.
  @inlinable
  public init<R: Reducer>(@ReducerBuilder<State, Action> _ reducers: () -> R)
  where R.State == State, R.Action == Action { body = reducers().erased() }
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
