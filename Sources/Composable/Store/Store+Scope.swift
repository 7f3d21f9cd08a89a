extension Store {
  /// The store of a child that is always there. The same scope gives the same store while it lives.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>, action: CasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    cached(ScopeCacheKey(state: state, action: action.identity)) {
      ScopedCore(parent: core, state: state, action: action)
    }
  }

  /// The store of an optional child, or `nil` while the child is not there.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>, action: CasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity), state: { $0[keyPath: state] },
      embed: { action.embed($0) })
  }

  /// The store of a presented child, or `nil` while nothing is presented.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity), state: { $0[keyPath: state] },
      embed: { action.embed(.presented($0)) })
  }

  /// The store of a presented child, or `nil` while nothing is presented.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity),
      state: { $0[keyPath: state].value }, embed: { action.embed(.presented($0)) })
  }

  /// The store of one case of an enum, or `nil` while the state is another case.
  public func scope<ChildState, ChildAction>(
    state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state.identity, action: action.identity),
      state: { state.extract(from: copy $0) }, embed: { action.embed($0) })
  }

  /// The store of one row of a list, or `nil` if there is no row of that id.
  public func scope<ID: Hashable & Sendable, ChildState, ChildAction>(
    id: ID, state: KeyPath<State, IdentifiedArray<ID, ChildState>>,
    action: CasePath<Action, IdentifiedAction<ID, ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity, element: id),
      state: { $0[keyPath: state][id: id] },
      embed: { action.embed(.element(id: id, action: $0)) }, turns: turns(of: id, in: state))
  }

  /// The stores of all rows of a list, in order.
  public func scopes<ID: Hashable & Sendable, ChildState, ChildAction>(
    state: KeyPath<State, IdentifiedArray<ID, ChildState>>,
    action: CasePath<Action, IdentifiedAction<ID, ChildAction>>
  ) -> [Store<ChildState, ChildAction>] {
    withState { $0[keyPath: state].ids }.compactMap { scope(id: $0, state: state, action: action) }
  }

  /// The store of a child that may be gone.
  func optional<ChildState, ChildAction>(
    _ key: ScopeCacheKey, state: @escaping (borrowing State) -> ChildState?,
    embed: @escaping (ChildAction) -> Action, turns: @autoclosure () -> Turns? = nil
  ) -> Store<ChildState, ChildAction>? {
    guard let last = core.read({ state($0) }) ?? nil else { return nil }
    return cached(key) {
      VanishingCore(parent: core, last: last, state: state, embed: embed, turns: turns())
    }
  }
}
