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
  @inlinable
  public func ifLet<ChildState, ChildAction, Child: Reducer>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ComposedReducer<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    ComposedReducer(
      presentationNode(
        state, action, child().makeNode(), makeNode(),
        at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Presents without a reducer of the child: for dialogs whose state is only shown.
  ///
  /// Any action of the child, and `.dismiss`, takes the presentation away after this reducer saw it.
  @inlinable
  public func ifLet<ChildState, ChildAction: Sendable>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ComposedReducer<State, Action> {
    ComposedReducer(
      presentationNode(
        state, action, nil, makeNode(),
        at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)))
  }
}

/// Runs a presented child and its parent.
///
/// - Parameter child: `nil` for a presentation that ends with its first action.
@inlinable
func presentationNode<State, Action, ChildState, ChildAction>(
  _ state: WritableKeyPath<State, PresentationState<ChildState>>,
  _ action: CasePath<Action, PresentationAction<ChildAction>>,
  _ child: ReducerNode<ChildState, ChildAction>?, _ parent: ReducerNode<State, Action>,
  at location: IssueLocation
) -> ReducerNode<State, Action> {
  let id = NodeIdentity()
  let identify = ChildIdentification<ChildState>()
  let statePath = state
  let actionPath = action
  let presentedPath = action.appending(PresentationAction<ChildAction>.presentedCase())
  let reduceChild = child?.reduce
  let reduceParent = parent.reduce
  let prune = prunePresentation(id, identify, state, child, parent.prune)
  return ReducerNode(prune: prune) { state, action in
    guard let presentationAction = actionPath.extract(from: action) else {
      return reduceParent(&state, action)
    }
    // The child is taken out of the state meanwhile, so that it has one owner and nothing in it is
    // copied when it changes.
    if case .presented(let childAction) = presentationAction, let reduceChild {
      var presentation = state[keyPath: statePath].take()
      guard presentation.storage != nil else {
        reportMissingChild("ifLet", action: action, location: location)
        return reduceParent(&state, action)
      }
      let childEffect = reduceChild(&presentation.storage!, childAction)
      state[keyPath: statePath] = presentation
      if childEffect.isNone { return reduceParent(&state, action) }
      return Effect<Action>.presented(
        childEffect, presentation, identify, id, presentedPath, actionPath
      )
      .merge(with: reduceParent(&state, action))
    }
    let presentation = state[keyPath: statePath]
    guard presentation.storage != nil else {
      if case .presented = presentationAction {
        reportMissingChild("ifLet", action: action, location: location)
      }
      return reduceParent(&state, action)
    }
    let before = PresentationMark(presentation, identify)
    let effect = reduceParent(&state, action)
    // It goes now, unless the parent has put another in its place.
    let after = state[keyPath: statePath]
    if after.storage != nil, PresentationMark(after, identify) == before {
      state[keyPath: statePath].assign(nil)
    }
    return effect
  }
}

extension Effect {
  /// An effect of a presented child as one of its parent.
  @usableFromInline
  static func presented<ChildState, ChildAction>(
    _ effect: Effect<ChildAction>, _ presentation: PresentationState<ChildState>,
    _ identify: ChildIdentification<ChildState>, _ node: NodeIdentity,
    _ presented: CasePath<Action, ChildAction>,
    _ action: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Self {
    let dismissal = action.embed(.dismiss)
    return effect.inChild(
      PresentationMark(presentation, identify).identity, of: node, embed: presented
    )
    .mapRuns { $0.dismissing(by: dismissal) }
  }
}

@usableFromInline
func prunePresentation<State, ChildState, ChildAction>(
  _ id: NodeIdentity, _ identify: ChildIdentification<ChildState>,
  _ path: WritableKeyPath<State, PresentationState<ChildState>>,
  _ child: ReducerNode<ChildState, ChildAction>?,
  _ parent: ((State, EffectScope) -> Void)?
) -> ReducerNode<State, ChildAction>.Prune {
  { state, scope in
    if scope.hasChildren(of: id) {
      let presentation = state[keyPath: path]
      if let childState = presentation.storage {
        let identity = PresentationMark(presentation, identify).identity
        scope.cancelChildren(of: id, except: identity)
        if let prune = child?.prune, let scope = scope.child(identity, of: id) {
          prune(childState, scope)
        }
      } else {
        scope.cancelChildren(of: id)
      }
    }
    parent?(state, scope)
  }
}

/// Which presentation it is, and how often its value was put in place.
@usableFromInline
struct PresentationMark: Equatable {
  private let number: UInt64
  private let assignments: UInt32
  private let child: ChildIdentity

  /// The mark of a presentation that presents something.
  @usableFromInline
  init<Child>(_ presentation: PresentationState<Child>, _ identify: ChildIdentification<Child>) {
    number = presentation.number
    assignments = presentation.assignments
    child = identify(presentation.storage!)
  }

  @usableFromInline
  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.number == rhs.number && lhs.assignments == rhs.assignments && lhs.child == rhs.child
  }

  /// What tells one presentation from the next.
  var identity: ChildIdentity { ChildIdentity(PresentationID(number: number, child: child)) }
}

private struct PresentationID: Hashable {
  let number: UInt64
  let child: ChildIdentity
}
