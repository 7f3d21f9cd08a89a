extension Reducer {
  /// Overrides a dependency for this reducer and the effects that it makes, and nowhere else.
  public func dependency<Value>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>, _ value: Value
  ) -> Reduce<State, Action> {
    transformDependencies { values in
      // Assigning through a key path also reads the old value. That isn't a use of the dependency,
      // so don't report it.
      IgnoredIssues.ignore { values[keyPath: keyPath] = value }
    }
  }

  /// Overrides dependencies for this reducer and the effects that it makes, and nowhere else.
  public func transformDependencies(
    _ change: @escaping (inout DependencyValues) -> Void
  ) -> Reduce<State, Action> {
    let base = erased()
    return Reduce(prune: base.prune) { state, action in
      var values = DependencyValues.current
      change(&values)
      return DependencyValues.with(values) { base.run(&state, action) }
    }
  }
}
