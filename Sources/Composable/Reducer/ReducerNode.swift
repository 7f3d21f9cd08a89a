/// The form in which a store runs a reducer: closures that are built once.
///
/// Each operator (`Scope`, `ifLet`, `forEach` …) makes a node. Besides reducing, a node finds the
/// effects below it whose child is gone.
///
/// The reducing closures are made in inlinable functions, so that the compiler specialises them for
/// a feature's types. That keeps an action cheap.
public struct ReducerNode<State, Action: Sendable> {
  /// Cancels the effects of all children that are gone from the state. Runs on the main actor, as
  /// reducers do.
  @usableFromInline typealias Prune =
    (_ state: State, _ scope: EffectScope) -> Void

  /// Changes the state for an action and returns the effects that follow.
  @usableFromInline let reduce: (inout State, Action) -> Effect<Action>

  /// Cancels the effects of children that are gone; `nil` if there are no children.
  @usableFromInline let prune: Prune?

  @inlinable
  init(
    prune: Prune? = nil,
    reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.reduce = reduce
    self.prune = prune
  }

  /// Reduces for a caller that isn't a store. Nothing would cancel the effects of children that go
  /// away, so such an effect is reported as an issue.
  @usableFromInline
  func reduceDirectly(_ state: inout State, _ action: Action) -> Effect<Action> {
    let effect = reduce(&state, action)
    if let location = effect.locationOfFirstChildRun() {
      reportIssue(
        """
        "reduce(into:action:)" of a reducer was called, and one of its children started an effect.

          Action: \(describe(action))

        The store does not know that child, so the effect would outlive it. List the reducer in a \
        `body`, or run it with `Scope`, `ifLet` or `forEach`.
        """,
        at: location)
    }
    return effect
  }

  /// Returns a node that runs this node and then another on the same state.
  @inlinable
  func then(_ next: Self) -> Self {
    let first = reduce
    let second = next.reduce
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

/// The identity of an operator.
@usableFromInline
final class NodeIdentity: Sendable {
  @usableFromInline init() {}
}
