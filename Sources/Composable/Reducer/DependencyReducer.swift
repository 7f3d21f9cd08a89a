extension Reducer {
  /// This reducer with another value of a dependency. It holds here and in the effects made here,
  /// and nowhere else.
  public func dependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
  ) -> ReducerSequence<State, Action> {
    transformDependencies { $0[keyPath: keyPath] = value }
  }

  /// This reducer with other values of some dependencies. They hold here and in the effects made
  /// here, and nowhere else.
  public func transformDependencies(
    _ change: @escaping (inout DependencyValues) -> Void
  ) -> ReducerSequence<State, Action> {
    ReducerSequence([DependencyNode(makeNode(), change)])
  }
}

/// Runs a reducer with other values of some dependencies.
final class DependencyNode<State, Action: Sendable>: ReducerNode<State, Action> {
  private let base: ReducerNode<State, Action>
  private let change: (inout DependencyValues) -> Void

  init(_ base: ReducerNode<State, Action>, _ change: @escaping (inout DependencyValues) -> Void) {
    self.base = base
    self.change = change
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    let outer = DependencyValues.current
    var inner = outer
    change(&inner)
    let effect = DependencyValues.with(inner) { base.reduce(&state, action) }
    // What an effect sends comes back through this node, which sets the values again. Outside of it
    // they may not be seen.
    return effect.mapRuns { run in
      guard run.sendDependencies.isIdentical(to: inner) else { return run }
      var run = run
      run.sendDependencies = outer
      return run
    }
  }

  override func prune(_ state: inout State, _ scope: EffectScope) { base.prune(&state, scope) }
}
