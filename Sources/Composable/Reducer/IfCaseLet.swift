extension Reducer {
  /// Runs a child's reducer while the state is one case of an enum, before this reducer.
  ///
  /// When the state changes to another case, the child's effects are cancelled.
  ///
  /// - Parameters:
  ///   - state: The case that holds the child's state.
  ///   - action: The case that holds the child's action.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  @inlinable
  public func ifCaseLet<ChildState, ChildAction, Child: Reducer>(
    _ state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: @escaping () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Reduce<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    let child: Reduce<State, Action> = caseChild(
      state, action, ChildReducer(child), name: "ifCaseLet",
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return child.then(erased())
  }
}

/// Returns a reducer that runs a child while an enum state is one case.
@inlinable
func caseChild<State, Action, ChildState, ChildAction>(
  _ state: CasePath<State, ChildState>, _ action: CasePath<Action, ChildAction>,
  _ child: ChildReducer<ChildState, ChildAction>, name: String, at location: IssueLocation
) -> Reduce<State, Action> {
  let id = OperatorID()
  let identify = ChildIdentification<ChildState>()
  let statePath = state
  let actionPath = action
  return Reduce(prune: pruneCase(id, identify, state, child)) { state, action in
    guard let childAction = actionPath.extract(from: action) else { return .none }
    guard var childState = statePath.extract(from: state) else {
      reportMissingChild(name, action: action, location: location)
      return .none
    }
    let effect = child.reduce(&childState, childAction)
    state = statePath.embed(childState)
    if effect.isNone { return .none }
    return effect.inChild(identify(childState), of: id, embed: actionPath)
  }
}

@usableFromInline
func pruneCase<State, ChildState, ChildAction>(
  _ id: OperatorID, _ identify: ChildIdentification<ChildState>,
  _ path: CasePath<State, ChildState>, _ child: ChildReducer<ChildState, ChildAction>
) -> Reduce<State, ChildAction>.Prune {
  { state, scope in
    guard scope.hasChildren(of: id) else { return }
    guard let childState = path.extract(from: state) else {
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

/// Reports that an action arrived for a child that doesn't exist.
@usableFromInline
func reportMissingChild<Action>(_ name: String, action: Action, location: IssueLocation) {
  reportIssue(
    """
    "\(name)" received an action for a child that is not there.

      Action: \(describe(action))

    The action was ignored. This happens when
    • a parent's reducer removed the child before "\(name)" saw the action: let the child's \
    reducer run first;
    • an effect that is not the child's own sent the action after the child had gone: start it \
    in the child, so that it is cancelled with it;
    • the action was sent to the store without the child being shown: send it only while the \
    child's state is there.
    """,
    at: location)
}
