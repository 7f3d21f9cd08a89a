/// A reducer in the form in which a store runs it: closures that are built once.
///
/// Each operator (`Scope`, `ifLet`, `forEach` …) makes a node of its own. Besides reducing, a node
/// knows which of the effects below it have lost the child that started them.
///
/// The closures that reduce are made in inlinable functions, so that the compiler makes them for a
/// feature's own types; that is what keeps an action cheap.
public struct ReducerNode<State, Action: Sendable> {
  /// Cancels the effects of all children that are gone from the state.
  /// Runs on the main actor, as reducers do.
  @usableFromInline typealias Prune =
    (_ state: State, _ scope: EffectScope) -> Void

  /// Changes the state for an action and returns the effects that follow.
  @usableFromInline let reduce: (inout State, Action) -> Effect<Action>

  /// `nil` if there are no children.
  @usableFromInline let prune: Prune?

  @inlinable
  init(
    prune: Prune? = nil,
    reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>
  ) {
    self.reduce = reduce
    self.prune = prune
  }

  /// Reduces for a caller that isn't a store. Then nothing would end the effects of children with them,
  /// which is an issue if there are such effects.
  @usableFromInline
  func reduceByHand(_ state: inout State, _ action: Action) -> Effect<Action> {
    let effect = reduce(&state, action)
    if let location = effect.locationOfWork() {
      reportIssue(
        """
        "reduce(into:action:)" of a reducer was called, and one of its children started an effect.

          Action: \(describe(action))

        The store does not know that child, so the effect would outlive it. List the reducer in a \
        `body`, or run it by `Scope`, `ifLet` or `forEach`.
        """,
        at: location)
    }
    return effect
  }

  /// A node that runs this and then another on the same state.
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

/// What tells the operators of a feature from each other.
@usableFromInline
final class NodeIdentity: Sendable {
  @usableFromInline init() {}
}
