/// Runs a child's reducer on a part of the parent's state and actions.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   Scope(state: \.checkIn, action: Action.checkInCase) { CheckInFeature() }
///   Reduce { state, action in … }
/// }
/// ```
///
/// Write it before the parent's own `Reduce`, so that the child handles an action first.
public struct Scope<State, Action: Sendable>: Reducer {
  /// Has no body.
  public typealias Body = Never

  @usableFromInline let node: ReducerNode<State, Action>

  /// Scopes to a property of a struct.
  @inlinable
  public init<ChildState, ChildAction, Child: Reducer>(
    state: WritableKeyPath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: @escaping () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    node = scopeNode(FieldPath(state), action, ChildNode(child))
  }

  /// Scopes to a case of an enum.
  ///
  /// An action for the child while the state is another case is a mistake, reported as an issue.
  @inlinable
  public init<ChildState, ChildAction, Child: Reducer>(
    state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: @escaping () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) where Child.State == ChildState, Child.Action == ChildAction {
    node = caseNode(
      state, action, ChildNode(child), name: "Scope",
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Runs the child on its part of the state.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduceDirectly(&state, action)
  }

  /// Returns the node that runs the child.
  @inlinable
  public func makeNode() -> ReducerNode<State, Action> { node }
}

/// Returns a node that runs a child on a property.
@inlinable
func scopeNode<State, Action, ChildState, ChildAction>(
  _ field: FieldPath<State, ChildState>, _ action: CasePath<Action, ChildAction>,
  _ child: ChildNode<ChildState, ChildAction>
) -> ReducerNode<State, Action> {
  let id = NodeIdentity()
  let path = action
  return ReducerNode(prune: pruneScope(id, field, child)) { state, action in
    guard let childAction = path.extract(from: action) else { return .none }
    let effect = field.modify(&state) { child.reduce(&$0, childAction) }
    return effect.isNone ? .none : effect.inChild(.single, of: id, embed: path)
  }
}

@usableFromInline
func pruneScope<State, ChildState, ChildAction>(
  _ id: NodeIdentity, _ field: FieldPath<State, ChildState>,
  _ child: ChildNode<ChildState, ChildAction>
) -> ReducerNode<State, ChildAction>.Prune {
  { state, scope in
    guard let prune = child.prune, let scope = scope.child(.single, of: id) else { return }
    prune(field.get(state), scope)
  }
}

extension Effect {
  /// Returns this effect of a child as an effect of its parent.
  @usableFromInline
  func inChild<Parent: Sendable>(
    _ child: ChildIdentity, of node: NodeIdentity, embed: CasePath<Parent, Action>
  ) -> Effect<Parent> {
    Effect<Parent>(.child(ScopeKey(node: node, child: child), map { embed.embed($0) }))
  }
}
