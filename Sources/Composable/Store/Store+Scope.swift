extension Store {
  /// Returns the store of a child whose state always exists. Repeated calls return the same store
  /// while it is alive.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>, action: CasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    cached(ScopeCacheKey(state: state, action: action.identity)) {
      ScopedCore(parent: core, state: state, action: action)
    }
  }

  /// Returns the store of an optional child, or `nil` while its state is `nil`.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>, action: CasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity), state: { $0[keyPath: state] },
      embed: { action.embed($0) })
  }

  /// Returns the store of a presented child, or `nil` while nothing is presented.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity), state: { $0[keyPath: state] },
      embed: { action.embed(.presented($0)) })
  }

  /// Returns the store of a presented child, or `nil` while nothing is presented.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity),
      state: { $0[keyPath: state].value }, embed: { action.embed(.presented($0)) })
  }

  /// Returns the store of one case of an enum, or `nil` while the state is another case.
  public func scope<ChildState, ChildAction>(
    state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state.identity, action: action.identity),
      state: { state.extract(from: copy $0) }, embed: { action.embed($0) })
  }

  /// Returns the store of one row of a list, or `nil` if no row has that id.
  public func scope<ID: Hashable & Sendable, ChildState, ChildAction>(
    id: ID, state: KeyPath<State, IdentifiedArray<ID, ChildState>>,
    action: CasePath<Action, IdentifiedAction<ID, ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity, element: id),
      state: { $0[keyPath: state][id: id] },
      embed: { action.embed(.element(id: id, action: $0)) }, turns: turns(of: id, in: state))
  }

  /// Returns the stores of all rows of a list, in order.
  public func scopes<ID: Hashable & Sendable, ChildState, ChildAction>(
    state: KeyPath<State, IdentifiedArray<ID, ChildState>>,
    action: CasePath<Action, IdentifiedAction<ID, ChildAction>>
  ) -> [Store<ChildState, ChildAction>] {
    withState { $0[keyPath: state].ids }.compactMap { scope(id: $0, state: state, action: action) }
  }

  /// Returns the store of a child whose state can disappear, or `nil` if it doesn't exist now.
  func optional<ChildState, ChildAction>(
    _ key: ScopeCacheKey, state: @escaping (borrowing State) -> ChildState?,
    embed: @escaping (ChildAction) -> Action, turns: @autoclosure () -> TurnNotifier? = nil
  ) -> Store<ChildState, ChildAction>? {
    guard let last = core.read({ state($0) }) ?? nil else { return nil }
    return cached(key) {
      OptionalCore(parent: core, last: last, state: state, embed: embed, turns: turns())
    }
  }
}
