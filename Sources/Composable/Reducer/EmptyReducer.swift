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
