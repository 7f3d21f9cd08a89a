/// Runs a child's reducer on a part of the parent's state and actions.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   Scope(state: \.checkIn, action: Action.checkInCase) { CheckInFeature() }
///   Reduce { state, action in … }
/// }
/// ```
///
/// Write it before the parent's own `Reduce`, so that the child has seen an action first.
public struct Scope<State, Action: Sendable>: Reducer {
  /// It has no body.
  public typealias Body = Never

  private let node: ReducerNode<State, Action>

  /// Scopes to a property of a struct.
  public init<ChildState, ChildAction, Child: Reducer>(
    state: WritableKeyPath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    node = ScopeNode(field: FieldPath(state), action: action, child: child().makeNode())
  }

  /// Scopes to a case of an enum.
  ///
  /// An action of the child while the state is another case is a mistake and reported as an issue.
  public init<ChildState, ChildAction, Child: Reducer>(
    state: CasePath<State, ChildState>, action: CasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) where Child.State == ChildState, Child.Action == ChildAction {
    node = CaseNode(
      state: state, action: action, child: child().makeNode(), name: "Scope",
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Runs the child on its part.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    node.reduce(&state, action)
  }

  /// The node that runs the child.
  public func makeNode() -> ReducerNode<State, Action> { node }
}

/// Runs a child on a property.
final class ScopeNode<State, Action: Sendable, ChildState, ChildAction: Sendable>:
  ReducerNode<State, Action>
{
  private let field: FieldPath<State, ChildState>
  private let action: CasePath<Action, ChildAction>
  private let child: ReducerNode<ChildState, ChildAction>

  init(
    field: FieldPath<State, ChildState>, action: CasePath<Action, ChildAction>,
    child: ReducerNode<ChildState, ChildAction>
  ) {
    self.field = field
    self.action = action
    self.child = child
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    guard let childAction = self.action.extract(from: action) else { return .none }
    let effect = field.modify(&state) { child.reduce(&$0, childAction) }
    return effect.inChild(.single, of: id, embed: self.action)
  }

  override func prune(_ state: inout State, _ scope: EffectScope) {
    guard let child = scope.child(.single, of: id) else { return }
    field.modify(&state) { self.child.prune(&$0, child) }
  }
}

extension Effect {
  /// This effect of a child as one of its parent.
  func inChild<Parent: Sendable>(
    _ child: @autoclosure () -> ChildIdentity, of node: ObjectIdentifier,
    embed: CasePath<Parent, Action>
  ) -> Effect<Parent> {
    guard operation != nil else { return .none }
    return Effect<Parent>(
      .child(ScopeKey(node: node, child: child()), map { embed.embed($0) }))
  }
}
