/// A reducer made from a closure.
///
/// Operators and builders return one, too: it runs the reducers that it is composed of, and stands
/// for all of them, whatever their types are.
public struct Reduce<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  /// Cancels the effects of all children that are gone from the state. Runs on the main actor, as
  /// reducers do.
  @usableFromInline typealias Prune = (_ state: State, _ scope: EffectScope) -> Void

  /// Changes the state for an action and returns the effects that follow.
  @usableFromInline package let run: (inout State, Action) -> Effect<Action>

  /// Cancels the effects of children that are gone; `nil` if there are no children.
  @usableFromInline let prune: Prune?

  /// Creates a reducer from a closure that changes the state and returns the effects that follow.
  @inlinable
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.init(prune: nil, run: reduce)
  }

  // The closures are made in inlinable functions, so that the compiler specialises them for a
  // feature's types. That keeps an action cheap.
  @inlinable
  init(
    prune: Prune?, run: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.run = run
    self.prune = prune
  }

  /// Can't be called.
  public func reduce(into state: inout State, action: Never) -> Effect<Action> {}

  /// Returns this reducer.
  @inlinable
  public func erased() -> Self { self }

  /// Returns a reducer that runs something else, with the lifetimes of this one's children.
  package func running(
    _ run: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>
  ) -> Self {
    Self(prune: prune, run: run)
  }

  /// Returns a reducer that runs this one and then another on the same state.
  @inlinable
  func then(_ next: Self) -> Self {
    let first = run
    let second = next.run
    return Self(prune: pruneBoth(prune, next.prune)) { state, action in
      let firstEffect = first(&state, action)
      let secondEffect = second(&state, action)
      if firstEffect.isNone { return secondEffect }
      if secondEffect.isNone { return firstEffect }
      return firstEffect.merge(with: secondEffect)
    }
  }
}

@usableFromInline
func pruneBoth<State>(
  _ first: ((State, EffectScope) -> Void)?,
  _ second: ((State, EffectScope) -> Void)?
) -> ((State, EffectScope) -> Void)? {
  guard let first else { return second }
  guard let second else { return first }
  return { state, scope in
    first(state, scope)
    second(state, scope)
  }
}
