extension Reducer {
  /// Runs another reducer after this one when a part of the state has changed by an action.
  ///
  /// ```swift
  /// .onChange(of: \.query) { _, _ in
  ///   Reduce { state, action in .send(.search) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: The part. Its old value is kept while this reducer runs.
  ///   - reducer: Makes the reducer, of the old and the new value. It may not contain child operators
  ///     with effects of their own.
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
        return .merge(effect, reducer(old, new).makeNode().reduceByHand(&state, action))
      })
  }
}
