extension Reducer {
  /// Runs a child's reducer while it is presented, before this reducer.
  ///
  /// At `.dismiss` this reducer still sees the child's state; afterwards it is `nil`, unless this
  /// reducer presented another child. When the child goes or is replaced, its effects are
  /// cancelled at the end of the same send.
  ///
  /// - Parameters:
  ///   - state: The presentation: `\.$sheet` of `@Presents var sheet`.
  ///   - action: The case that holds the presentation's action.
  ///   - child: The child's reducer.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  public func ifLet<ChildState, ChildAction, Child: Reducer>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ReducerSequence<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    let node = PresentationNode(
      state: state, action: action, child: child().makeNode(), parent: makeNode(),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return ReducerSequence([node])
  }

  /// Presents without a reducer of the child: for dialogs whose state is only shown.
  ///
  /// Any action of the child, and `.dismiss`, takes the presentation away after this reducer saw it.
  public func ifLet<ChildState, ChildAction: Sendable>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ReducerSequence<State, Action> {
    let node = PresentationNode(
      state: state, action: action, child: nil, parent: makeNode(),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return ReducerSequence([node])
  }
}

/// Runs a presented child and its parent.
final class PresentationNode<State, Action: Sendable, ChildState, ChildAction: Sendable>:
  ReducerNode<State, Action>
{
  private let state: WritableKeyPath<State, PresentationState<ChildState>>
  private let action: CasePath<Action, PresentationAction<ChildAction>>
  private let presented: CasePath<Action, ChildAction>
  /// `nil` for a presentation that ends with its first action.
  private let child: ReducerNode<ChildState, ChildAction>?
  private let parent: ReducerNode<State, Action>
  private let location: IssueLocation
  private let identity = ChildIdentification<ChildState>()

  init(
    state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    child: ReducerNode<ChildState, ChildAction>?, parent: ReducerNode<State, Action>,
    location: IssueLocation
  ) {
    self.state = state
    self.action = action
    presented = action.appending(PresentationAction<ChildAction>.presentedCase())
    self.child = child
    self.parent = parent
    self.location = location
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    guard let presentationAction = self.action.extract(from: action) else {
      return parent.reduce(&state, action)
    }
    guard let before = presentation(state) else {
      if case .presented = presentationAction {
        reportMissingChild("ifLet", action: action, location: location)
      }
      return parent.reduce(&state, action)
    }
    var childEffect = Effect<Action>.none
    var isLast = true
    if case .presented(let childAction) = presentationAction, let child {
      isLast = false
      childEffect = reduce(child, &state, childAction, before)
    }
    let parentEffect = parent.reduce(&state, action)
    // It goes now, unless the parent has put another in its place.
    if isLast, let after = presentation(state), after == before {
      state[keyPath: self.state].assign(nil)
    }
    return childEffect.operation == nil ? parentEffect : childEffect.merge(with: parentEffect)
  }

  /// Reduces the child where it is: it is taken out of the state meanwhile, so that it has one
  /// owner and nothing in it is copied.
  private func reduce(
    _ child: ReducerNode<ChildState, ChildAction>, _ state: inout State, _ action: ChildAction,
    _ presentation: Presentation
  ) -> Effect<Action> {
    var value = state[keyPath: self.state]
    state[keyPath: self.state] = PresentationState()
    let effect = child.reduce(&value.value!, action)
    state[keyPath: self.state] = value
    guard effect.operation != nil else { return .none }
    let dismissal = self.action.embed(.dismiss)
    return effect.inChild(presentation.identity, of: id, embed: presented)
      .mapRuns { $0.dismissing(by: dismissal) }
  }

  /// Which presentation it is.
  private struct Presentation: Equatable {
    let number: UInt64
    let assignments: UInt32
    let child: ChildIdentity

    var identity: ChildIdentity { ChildIdentity(PresentationID(number: number, child: child)) }
  }

  private func presentation(_ state: State) -> Presentation? {
    let presentation = state[keyPath: self.state]
    guard let child = presentation.value else { return nil }
    return Presentation(
      number: presentation.number, assignments: presentation.assignments, child: identity(child))
  }

  override func prune(_ state: inout State, _ scope: EffectScope) {
    if scope.hasChildren(of: id) {
      if let identity = presentation(state)?.identity {
        scope.cancelChildren(of: id) { $0 != identity }
        if let child, let childScope = scope.child(identity, of: id) {
          var presentation = state[keyPath: self.state]
          child.prune(&presentation.value!, childScope)
        }
      } else {
        scope.cancelChildren(of: id)
      }
    }
    parent.prune(&state, scope)
  }
}

/// Tells one presentation from the next.
private struct PresentationID: Hashable {
  let number: UInt64
  let child: ChildIdentity
}
