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
  ) -> Reduce<State, Action> where R.State == State, R.Action == Action {
    let base = erased()
    return Reduce(prune: base.prune) { state, action in
      let old = value(state)
      let effect = base.run(&state, action)
      let new = value(state)
      guard old != new else { return effect }
      let reaction = reducer(old, new).erased().run(&state, action)
      reportChildRun(in: reaction, action)
      return .merge(effect, reaction)
    }
  }
}

/// Reports an effect of a child of a reducer that is made for one action. Nothing would cancel the
/// effect when the child goes away.
private func reportChildRun<Action>(in effect: Effect<Action>, _ action: Action) {
  guard let location = effect.locationOfFirstChildRun() else { return }
  reportIssue(
    """
    A reducer in "onChange" has a child that started an effect.

      Action: \(describe(action))

    The reducer is made for this action only, so the effect would outlive its child. Send an action \
    instead, and let a reducer outside of "onChange" run the child.
    """,
    at: location)
}
