extension Reducer {
  /// Runs a child's reducer while it is presented, before this reducer.
  ///
  /// While this reducer handles `.dismiss`, the child's state is still there. Afterwards it is set
  /// to `nil`, unless this reducer presented another child. When the child is dismissed or
  /// replaced, its effects are cancelled at the end of the same send.
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
    @ReducerBuilder<ChildState, ChildAction> then child: @escaping () -> Child,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Reduce<State, Action>
  where Child.State == ChildState, Child.Action == ChildAction {
    presentedChild(
      state, action, ChildReducer(child), erased(),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Runs a presentation whose child has no reducer, for a dialog whose state is only displayed.
  ///
  /// Any action of the child, and `.dismiss`, ends the presentation after this reducer has handled
  /// it.
  @inlinable
  public func ifLet<ChildState, ChildAction: Sendable>(
    _ state: WritableKeyPath<State, PresentationState<ChildState>>,
    action: CasePath<Action, PresentationAction<ChildAction>>,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Reduce<State, Action> {
    presentedChild(
      state, action, nil, erased(),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// Returns a reducer that runs a presented child and its parent.
///
/// - Parameter child: The child; `nil` for a presentation that ends with its first action.
@inlinable
func presentedChild<State, Action, ChildState, ChildAction>(
  _ state: WritableKeyPath<State, PresentationState<ChildState>>,
  _ action: CasePath<Action, PresentationAction<ChildAction>>,
  _ child: ChildReducer<ChildState, ChildAction>?, _ parent: Reduce<State, Action>,
  at location: IssueLocation
) -> Reduce<State, Action> {
  let id = OperatorID()
  let identify = ChildIdentification<ChildState>()
  let isEphemeral = Ephemerality<ChildState>()
  let statePath = state
  let field = FieldPath(state)
  let actionPath = action
  let presentedPath = action.appending(PresentationAction<ChildAction>.presentedCase())
  let reduceParent = parent.run
  let prune = prunePresentation(id, identify, state, child, parent.prune)
  return Reduce(prune: prune) { state, action in
    guard let presentationAction = actionPath.extract(from: action) else {
      return reduceParent(&state, action)
    }
    guard case .presented(let childAction) = presentationAction else {
      if state[keyPath: statePath].box == nil {
        reportMissingChild("ifLet", action: action, location: location)
      }
      return reduceAndDismiss(&state, action, statePath, identify, reduceParent)
    }
    var isLast = false
    var effect: Effect<Action>?
    let isPresented = field.modify(&state) { presentation, isCopy in
      guard presentation.box != nil else { return false }
      isLast = child == nil || isEphemeral(presentation)
      guard let child else { return true }
      let childEffect = presentation.modify(isCopy: isCopy) { child.reduce(&$0, childAction) }
      if !childEffect.isNone {
        effect = .presented(childEffect, presentation, identify, id, presentedPath, actionPath)
      }
      return true
    }
    guard isPresented else {
      reportMissingChild("ifLet", action: action, location: location)
      return reduceParent(&state, action)
    }
    let parentEffect =
      isLast
      ? reduceAndDismiss(&state, action, statePath, identify, reduceParent)
      : reduceParent(&state, action)
    return effect?.merge(with: parentEffect) ?? parentEffect
  }
}

/// Runs the parent on the last action of a presentation. Ends the presentation afterwards, unless
/// the parent has presented another child.
@usableFromInline
func reduceAndDismiss<State, Action, ChildState>(
  _ state: inout State, _ action: Action,
  _ path: WritableKeyPath<State, PresentationState<ChildState>>,
  _ identify: ChildIdentification<ChildState>,
  _ parent: (inout State, Action) -> Effect<Action>
) -> Effect<Action> {
  let before = PresentationSnapshot(state[keyPath: path], identify)
  let effect = parent(&state, action)
  if let before, PresentationSnapshot(state[keyPath: path], identify) == before {
    state[keyPath: path].assign(nil)
  }
  return effect
}

extension Effect {
  /// Returns an effect of a presented child as an effect of its parent.
  @usableFromInline
  static func presented<ChildState, ChildAction>(
    _ effect: Effect<ChildAction>, _ presentation: PresentationState<ChildState>,
    _ identify: ChildIdentification<ChildState>, _ owner: OperatorID,
    _ presented: CasePath<Action, ChildAction>,
    _ action: CasePath<Action, PresentationAction<ChildAction>>
  ) -> Self {
    let dismissal = action.embed(.dismiss)
    guard let identity = PresentationSnapshot(presentation, identify)?.identity else {
      return .none
    }
    return effect.inChild(identity, of: owner, embed: presented).mapRuns {
      $0.dismissing(by: dismissal, of: owner)
    }
  }
}

@usableFromInline
func prunePresentation<State, ChildState, ChildAction>(
  _ id: OperatorID, _ identify: ChildIdentification<ChildState>,
  _ path: WritableKeyPath<State, PresentationState<ChildState>>,
  _ child: ChildReducer<ChildState, ChildAction>?,
  _ parent: ((State, EffectScope) -> Void)?
) -> Reduce<State, ChildAction>.Prune {
  { state, scope in
    if scope.hasChildren(of: id) {
      let presentation = state[keyPath: path]
      if let childState = presentation.storage,
        let identity = PresentationSnapshot(presentation, identify)?.identity
      {
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

/// Identifies a presentation and its child. A child without an `id` is another one whenever the value
/// is assigned.
private struct PresentationSnapshot: Equatable {
  let number: UInt64
  let assignments: UInt32
  let child: ChildIdentity

  /// Returns `nil` if nothing is presented.
  init?<Child>(_ presentation: PresentationState<Child>, _ identify: ChildIdentification<Child>) {
    guard let child = presentation.storage else { return nil }
    number = presentation.number
    assignments = identify.hasIDs ? 0 : presentation.assignments
    self.child = identify(child)
  }

  /// The child's identity within this presentation.
  var identity: ChildIdentity { ChildIdentity(PresentationID(number: number, child: child)) }
}

private struct PresentationID: Hashable {
  let number: UInt64
  let child: ChildIdentity
}

/// An action of a presented child, or its dismissal.
public enum PresentationAction<Action> {
  /// An action of the child.
  case presented(Action)
  /// The dismissal of the child.
  case dismiss

  /// Returns the path to the child's action.
  @inlinable
  public static func presentedCase() -> CasePath<Self, Action> {
    CasePath(Self.presented) { if case .presented(let action) = $0 { action } else { nil } }
  }
}

extension PresentationAction: Equatable where Action: Equatable {}
extension PresentationAction: Hashable where Action: Hashable {}
extension PresentationAction: Encodable where Action: Encodable {}
extension PresentationAction: Decodable where Action: Decodable {}
extension PresentationAction: Sendable where Action: Sendable {}
