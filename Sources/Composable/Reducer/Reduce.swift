/// A reducer made from a closure.
public struct Reduce<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  @usableFromInline let closure: (inout State, Action) -> Effect<Action>

  /// Creates a reducer from a closure that changes the state and returns the effects that follow.
  @inlinable
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    closure = reduce
  }

  /// Runs the closure.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    closure(&state, action)
  }

  /// Returns a node that calls the closure.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { ReducerNode(reduce: closure) }
}
