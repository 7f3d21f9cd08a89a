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
  ) -> ReducerSequence<State, Action> where R.State == State, R.Action == Action {
    ReducerSequence([OnChangeNode(base: makeNode(), value: value, reducer: reducer)])
  }
}

/// Runs a reducer when a part of the state has changed.
final class OnChangeNode<State, Action: Sendable, Value: Equatable, R: Reducer>:
  ReducerNode<State, Action>
where R.State == State, R.Action == Action {
  private let base: ReducerNode<State, Action>
  private let value: (State) -> Value
  private let reducer: (Value, Value) -> R

  init(
    base: ReducerNode<State, Action>, value: @escaping (State) -> Value,
    reducer: @escaping (Value, Value) -> R
  ) {
    self.base = base
    self.value = value
    self.reducer = reducer
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    let old = value(state)
    let effect = base.reduce(&state, action)
    let new = value(state)
    guard old != new else { return effect }
    return .merge(effect, reducer(old, new).reduce(into: &state, action: action))
  }

  override func prune(_ state: inout State, _ scope: EffectScope) { base.prune(&state, scope) }
}
