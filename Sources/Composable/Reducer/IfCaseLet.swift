extension Reducer {
  /// Runs a child's reducer while the state is one case of an enum, before this reducer.
  ///
  /// When the case is left, the child's effects are cancelled.
  ///
  /// - Parameters:
  ///   - state: The case that holds the child's state.
  ///   - action: The case that holds the child's action.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  public func ifCaseLet<ChildState, ChildAction, Child: Reducer>(
    _ state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ReducerSequence<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    let node = CaseNode(
      state: state, action: action, child: child().makeNode(), name: "ifCaseLet",
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return ReducerSequence([node, makeNode()])
  }
}

/// Runs a child while an enum state is one case.
final class CaseNode<State, Action: Sendable, ChildState, ChildAction: Sendable>:
  ReducerNode<State, Action>
{
  private let state: CasePath<State, ChildState>
  private let action: CasePath<Action, ChildAction>
  private let child: ReducerNode<ChildState, ChildAction>
  private let name: String
  private let location: IssueLocation
  private let identity = ChildIdentification<ChildState>()

  init(
    state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    child: ReducerNode<ChildState, ChildAction>, name: String, location: IssueLocation
  ) {
    self.state = state
    self.action = action
    self.child = child
    self.name = name
    self.location = location
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    guard let childAction = self.action.extract(from: action) else { return .none }
    guard var childState = self.state.extract(from: state) else {
      reportMissingChild(name, action: action, location: location)
      return .none
    }
    let identity = identity(childState)
    let effect = child.reduce(&childState, childAction)
    state = self.state.embed(childState)
    return effect.inChild(identity, of: id, embed: self.action)
  }

  override func prune(_ state: inout State, _ scope: EffectScope) {
    guard scope.hasChildren(of: id) else { return }
    guard var childState = self.state.extract(from: state) else {
      scope.cancelChildren(of: id)
      return
    }
    let identity = identity(childState)
    scope.cancelChildren(of: id) { $0 != identity }
    if let child = scope.child(identity, of: id) { self.child.prune(&childState, child) }
  }
}

/// Reports that an action came for a child that is not there.
func reportMissingChild<Action>(_ name: String, action: Action, location: IssueLocation) {
  reportIssue(
    """
    "\(name)" received an action for a child that is not there.

      Action: \(action)

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
