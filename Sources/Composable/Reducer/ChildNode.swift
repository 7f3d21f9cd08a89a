/// The node of a child, made when the child first acts: so a feature may contain itself.
@usableFromInline
final class ChildNode<State, Action: Sendable> {
  // Set once and only used on the main actor, and on the way of every action: so it is not watched that
  // nobody sets it while it is read.
  @exclusivity(unchecked) @usableFromInline
  var reduceMade: ((inout State, Action) -> Effect<Action>)?
  /// Cancels the effects of the child's own children that are gone; `nil` if there are none, as long as
  /// the child has not acted.
  private(set) var prune: ReducerNode<State, Action>.Prune?
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
