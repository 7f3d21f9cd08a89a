extension Reducer {
  /// This reducer with another value of a dependency. It holds here and in the effects made here,
  /// and nowhere else.
  public func dependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
  ) -> ComposedReducer<State, Action> {
    transformDependencies { values in
      // To assign by a key path reads the old value, which nobody uses by that.
      IgnoredIssues.ignore { values[keyPath: keyPath] = value }
    }
  }

  /// This reducer with other values of some dependencies. They hold here and in the effects made
  /// here, and nowhere else.
  public func transformDependencies(
    _ change: @escaping (inout DependencyValues) -> Void
  ) -> ComposedReducer<State, Action> {
    let base = makeNode()
    return ComposedReducer(
      ReducerNode(prune: base.prune) { state, action in
        let outer = DependencyValues.current
        var changed = outer
        change(&changed)
        let inner = changed
        let effect = DependencyValues.with(inner) { base.reduce(&state, action) }
        // What an effect sends comes back through here, where the values are set again. Outside
        // they may not be seen.
        return effect.mapRuns { run in
          guard run.sendDependencies.isIdentical(to: inner) else { return run }
          var run = run
          run.sendDependencies = outer
          return run
        }
      })
  }
}
