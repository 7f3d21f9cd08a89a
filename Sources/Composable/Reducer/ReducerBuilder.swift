/// Collects the reducers of a body; they run in the order written.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// One reducer.
  public static func buildExpression<R: Reducer>(_ reducer: R) -> R
  where R.State == State, R.Action == Action { reducer }

  /// An empty body.
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// The first reducer of a body.
  public static func buildPartialBlock<R: Reducer>(first: R) -> R
  where R.State == State, R.Action == Action { first }

  /// One more reducer of a body.
  public static func buildPartialBlock<A: Reducer, B: Reducer>(
    accumulated: A, next: B
  ) -> ReducerSequence<State, Action>
  where A.State == State, A.Action == Action, B.State == State, B.Action == Action {
    ReducerSequence([accumulated.makeNode(), next.makeNode()])
  }

  /// An `if` without `else`.
  public static func buildOptional<R: Reducer>(_ reducer: R?) -> ReducerSequence<State, Action>
  where R.State == State, R.Action == Action {
    ReducerSequence(reducer.map { [$0.makeNode()] } ?? [])
  }

  /// The first branch of an `if`.
  public static func buildEither<R: Reducer>(first: R) -> ReducerSequence<State, Action>
  where R.State == State, R.Action == Action { ReducerSequence([first.makeNode()]) }

  /// The second branch of an `if`.
  public static func buildEither<R: Reducer>(second: R) -> ReducerSequence<State, Action>
  where R.State == State, R.Action == Action { ReducerSequence([second.makeNode()]) }

  /// A loop.
  public static func buildArray<R: Reducer>(_ reducers: [R]) -> ReducerSequence<State, Action>
  where R.State == State, R.Action == Action { ReducerSequence(reducers.map { $0.makeNode() }) }
}

/// Reducers that run one after the other; what a builder makes of several.
public struct ReducerSequence<State, Action: Sendable>: Reducer {
  /// A sequence has no body.
  public typealias Body = Never

  private let nodes: [ReducerNode<State, Action>]

  init(_ nodes: [ReducerNode<State, Action>]) { self.nodes = nodes }

  /// Runs the reducers in order and merges their effects.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    makeNode().reduce(&state, action)
  }

  /// The node that runs them.
  public func makeNode() -> ReducerNode<State, Action> {
    nodes.count == 1 ? nodes[0] : SequenceNode(nodes)
  }
}
