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
  /// Runs the child on its part of the state.
  public let body: Reduce<State, Action>

  /// Scopes to a property of a struct.
  @inlinable
  public init<ChildState, ChildAction, Child: Reducer>(
    state: WritableKeyPath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: @escaping () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    body = scopedChild(FieldPath(state), action, ChildReducer(child))
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
    body = caseChild(
      state, action, ChildReducer(child), name: "Scope",
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// Returns a reducer that runs a child on a property.
@inlinable
func scopedChild<State, Action, ChildState, ChildAction>(
  _ field: FieldPath<State, ChildState>, _ action: CasePath<Action, ChildAction>,
  _ child: ChildReducer<ChildState, ChildAction>
) -> Reduce<State, Action> {
  let id = OperatorID()
  let path = action
  return Reduce(prune: pruneScope(id, field, child)) { state, action in
    guard let childAction = path.extract(from: action) else { return .none }
    let effect = field.modify(&state) { child.reduce(&$0, childAction) }
    return effect.isNone ? .none : effect.inChild(.single, of: id, embed: path)
  }
}

@usableFromInline
func pruneScope<State, ChildState, ChildAction>(
  _ id: OperatorID, _ field: FieldPath<State, ChildState>,
  _ child: ChildReducer<ChildState, ChildAction>
) -> Reduce<State, ChildAction>.Prune {
  { state, scope in
    guard let prune = child.prune, let scope = scope.child(.single, of: id) else { return }
    prune(field.get(state), scope)
  }
}

extension Effect {
  /// Returns this effect of a child as an effect of its parent.
  @usableFromInline
  func inChild<Parent: Sendable>(
    _ child: ChildIdentity, of owner: OperatorID, embed: CasePath<Parent, Action>
  ) -> Effect<Parent> {
    Effect<Parent>(.child(ScopeKey(owner: owner, child: child), map { embed.embed($0) }))
  }
}
