/// Reduces recorded actions again. Effects are not run: what they sent is among the actions.
///
/// With the same dependencies (a fixed date, `UUIDGenerator.incrementing`) the same actions give the
/// same states.
@MainActor
public struct Replay<State, Action: Sendable> {
  /// The state at the start, and after each action.
  public let states: [State]

  /// Reduces actions.
  ///
  /// - Parameters:
  ///   - actions: The actions, in order.
  ///   - initialState: The state at the start.
  ///   - reducer: The reducer that made them.
  ///   - prepareDependencies: Sets what the reducer reads by `@Dependency`.
  public init<R: Reducer>(
    _ actions: some Sequence<Action>, initialState: State, reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in }
  ) where R.State == State, R.Action == Action {
    var dependencies = DependencyValues.current
    dependencies.isolateDefaults()
    prepareDependencies(&dependencies)
    states = DependencyValues.with(dependencies) {
      let node = reducer().makeNode()
      var state = initialState
      var states = [state]
      for action in actions {
        _ = node.reduce(&state, action)
        states.append(state)
      }
      return states
    }
  }

  /// The state after the last action.
  public var finalState: State { states[states.count - 1] }
}
