extension Reducer {
  /// Runs a child's reducer while its optional state is there, before this reducer.
  ///
  /// When the child's state becomes `nil`, or another child takes its place (told by `id`, if the
  /// state is `Identifiable`), the child's effects are cancelled at the end of the same send.
  ///
  /// - Parameters:
  ///   - state: The child's optional state.
  ///   - action: The case that holds the child's action.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  public func ifLet<ChildState, ChildAction, Child: Reducer>(
    _ state: WritableKeyPath<State, ChildState?>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ReducerSequence<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    let node = OptionalNode(
      field: FieldPath(state), action: action, child: child().makeNode(),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return ReducerSequence([node, makeNode()])
  }
}

/// Runs a child while its optional state is there.
final class OptionalNode<State, Action: Sendable, ChildState, ChildAction: Sendable>:
  ReducerNode<State, Action>
{
  private let field: FieldPath<State, ChildState?>
  private let action: CasePath<Action, ChildAction>
  private let child: ReducerNode<ChildState, ChildAction>
  private let location: IssueLocation
  private let identity = ChildIdentification<ChildState>()

  init(
    field: FieldPath<State, ChildState?>, action: CasePath<Action, ChildAction>,
    child: ReducerNode<ChildState, ChildAction>, location: IssueLocation
  ) {
    self.field = field
    self.action = action
    self.child = child
    self.location = location
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    guard let childAction = self.action.extract(from: action) else { return .none }
    return field.modify(&state) { childState in
      guard childState != nil else {
        reportMissingChild("ifLet", action: action, location: location)
        return .none
      }
      let identity = identity(childState!)
      let effect = child.reduce(&childState!, childAction)
      return effect.inChild(identity, of: id, embed: self.action)
    }
  }

  override func prune(_ state: inout State, _ scope: EffectScope) {
    guard scope.hasChildren(of: id) else { return }
    field.modify(&state) { childState in
      guard childState != nil else {
        scope.cancelChildren(of: id)
        return
      }
      let identity = identity(childState!)
      scope.cancelChildren(of: id) { $0 != identity }
      if let child = scope.child(identity, of: id) { self.child.prune(&childState!, child) }
    }
  }
}
