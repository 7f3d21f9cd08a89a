/// A reducer in the form in which a store runs it: a tree that is built once.
///
/// Each operator (`Scope`, `ifLet`, `forEach` …) has its own node. Besides reducing, a node knows
/// which of the effects below it have lost the child that started them.
public class ReducerNode<State, Action: Sendable> {
  /// Changes the state for an action and returns the effects that follow.
  func reduce(_ state: inout State, _ action: Action) -> Effect<Action> { .none }

  /// Cancels the effects of all children that are gone from the state.
  ///
  /// - Parameters:
  ///   - state: The state after an action. It is not changed.
  ///   - scope: The running effects of this node and of its children.
  @MainActor func prune(_ state: inout State, _ scope: EffectScope) {}

  /// What tells this node from others.
  final var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// The node of a reducer that implements `reduce(into:action:)`.
final class LeafNode<Base: Reducer>: ReducerNode<Base.State, Base.Action> {
  private let base: Base

  init(_ base: Base) { self.base = base }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    base.reduce(into: &state, action: action)
  }

  typealias State = Base.State
  typealias Action = Base.Action
}

/// The node of reducers that run one after the other on the same state.
final class SequenceNode<State, Action: Sendable>: ReducerNode<State, Action> {
  private let nodes: [ReducerNode<State, Action>]

  init(_ nodes: [ReducerNode<State, Action>]) {
    self.nodes = nodes.flatMap { ($0 as? SequenceNode)?.nodes ?? [$0] }
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    var result = Effect<Action>.none
    for node in nodes {
      let effect = node.reduce(&state, action)
      guard effect.operation != nil else { continue }
      result = result.operation == nil ? effect : result.merge(with: effect)
    }
    return result
  }

  override func prune(_ state: inout State, _ scope: EffectScope) {
    for node in nodes { node.prune(&state, scope) }
  }
}
