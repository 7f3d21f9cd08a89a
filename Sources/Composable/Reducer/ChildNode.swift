/// The node of a child, built at the child's first action, so that a feature can contain itself.
@usableFromInline
final class ChildNode<State, Action: Sendable> {
  // Every action passes through here, so the exclusivity check is off. It isn't needed: the
  // property is set once and used only on the main actor.
  @exclusivity(unchecked) @usableFromInline
  var reduceMade: ((inout State, Action) -> Effect<Action>)?
  /// Cancels the effects of grandchildren that are gone; `nil` if the child has no children, and
  /// until it first acts.
  private(set) var prune: ReducerNode<State, Action>.Prune?
  private var make: (() -> ReducerNode<State, Action>)?
  /// The store's dependencies, which would be current if the node were built at once.
  private let dependencies = DependencyValues.current

  @usableFromInline
  init<R: Reducer>(_ child: @escaping () -> R) where R.State == State, R.Action == Action {
    make = { child().makeNode() }
  }

  /// Changes the child's state for an action and returns the effects that follow.
  @inlinable
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    if let reduceMade { return reduceMade(&state, action) }
    return reduceFirst(&state, action)
  }

  @usableFromInline
  func reduceFirst(_ state: inout State, _ action: Action) -> Effect<Action> {
    let node = DependencyValues.with(dependencies) { make!() }
    make = nil
    reduceMade = node.reduce
    prune = node.prune
    return node.reduce(&state, action)
  }
}
