extension Reducer {
  /// Runs another reducer after this one whenever an action has changed a part of the state.
  ///
  /// ```swift
  /// .onChange(of: \.query) { _, _ in
  ///   Reduce { state, action in .send(.search) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: Returns the part to compare. Its old value is kept while this reducer runs.
  ///   - reducer: Makes the reducer from the old and the new value. It must not contain child
  ///     operators whose children have effects.
  public func onChange<Value: Equatable, R: Reducer>(
    of value: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ reducer: @escaping (_ old: Value, _ new: Value) -> R
  ) -> ComposedReducer<State, Action> where R.State == State, R.Action == Action {
    let base = makeNode()
    return ComposedReducer(
      ReducerNode(prune: base.prune) { state, action in
        let old = value(state)
        let effect = base.reduce(&state, action)
        let new = value(state)
        guard old != new else { return effect }
        return .merge(effect, reducer(old, new).makeNode().reduceDirectly(&state, action))
      })
  }
}
