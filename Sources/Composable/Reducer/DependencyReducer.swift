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
        var values = DependencyValues.current
        change(&values)
        return DependencyValues.with(values) { base.reduce(&state, action) }
      })
  }
}
