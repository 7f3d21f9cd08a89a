extension Reducer {
  /// Runs a child's reducer while its optional state isn't `nil`, before this reducer.
  ///
  /// When the child's state becomes `nil`, or another child replaces it, the child's effects are
  /// cancelled at the end of the same send. A child whose state is `Identifiable` counts as another
  /// one if its `id` differs.
  ///
  /// - Parameters:
  ///   - state: The child's optional state.
  ///   - action: The case that holds the child's action.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: Reducer>(
    _ state: WritableKeyPath<State, ChildState?>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: @escaping () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Reduce<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    let child: Reduce<State, Action> = optionalChild(
      FieldPath(state), action, ChildReducer(child),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return child.then(erased())
  }
}

/// Returns a reducer that runs a child while its optional state isn't `nil`.
@inlinable
func optionalChild<State, Action, ChildState, ChildAction>(
  _ field: FieldPath<State, ChildState?>, _ action: CasePath<Action, ChildAction>,
  _ child: ChildReducer<ChildState, ChildAction>, at location: IssueLocation
) -> Reduce<State, Action> {
  let id = OperatorID()
  let identify = ChildIdentification<ChildState>()
  let path = action
  return Reduce(prune: pruneOptional(id, identify, field, child)) { state, action in
    guard let childAction = path.extract(from: action) else { return .none }
    return field.modify(&state) { childState in
      guard childState != nil else {
        reportMissingChild("ifLet", action: action, location: location)
        return .none
      }
      let effect = child.reduce(&childState!, childAction)
      if effect.isNone { return .none }
      return effect.inChild(identify(childState!), of: id, embed: path)
    }
  }
}

@usableFromInline
func pruneOptional<State, ChildState, ChildAction>(
  _ id: OperatorID, _ identify: ChildIdentification<ChildState>,
  _ field: FieldPath<State, ChildState?>, _ child: ChildReducer<ChildState, ChildAction>
) -> Reduce<State, ChildAction>.Prune {
  { state, scope in
    guard scope.hasChildren(of: id) else { return }
    guard let childState = field.get(state) else {
      scope.cancelChildren(of: id)
      return
    }
    let identity = identify(childState)
    scope.cancelChildren(of: id, except: identity)
    if let prune = child.prune, let scope = scope.child(identity, of: id) {
      prune(childState, scope)
    }
  }
}
