/// The node of a child, made when the child first acts: so a feature may contain itself.
@usableFromInline
final class ChildNode<State, Action: Sendable> {
  @usableFromInline var node: ReducerNode<State, Action>?
  private var make: (() -> ReducerNode<State, Action>)?
  /// Those of the store, in which the node would have been made at once.
  private let dependencies = DependencyValues.current

  @usableFromInline
  init<R: Reducer>(_ child: @escaping () -> R) where R.State == State, R.Action == Action {
    make = { child().makeNode() }
  }

  /// Changes the child's state for an action and returns the effects that follow.
  @inlinable
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    if let node { return node.reduce(&state, action) }
    return makeNode().reduce(&state, action)
  }

  /// Cancels the effects of the child's own children that are gone. A child that never acted has none.
  func prune(_ state: State, _ scope: EffectScope) { node?.prune?(state, scope) }

  @usableFromInline
  func makeNode() -> ReducerNode<State, Action> {
    let made = DependencyValues.with(dependencies) { make!() }
    make = nil
    node = made
    return made
  }
}
