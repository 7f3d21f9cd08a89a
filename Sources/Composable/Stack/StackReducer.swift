extension Reducer {
  /// Runs the reducer of a stack's elements, before this reducer.
  ///
  /// While this reducer handles `.popFrom`, the elements are still there; afterwards they are
  /// removed. When an element is removed, its effects are cancelled at the end of the same send. An
  /// element removes itself with the dependency `dismiss`.
  ///
  /// - Parameters:
  ///   - state: The stack.
  ///   - action: The case that holds the stack's actions.
  ///   - element: The reducer of an element.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  public func forEach<ElementState, ElementAction, Element: Reducer>(
    _ state: WritableKeyPath<State, StackState<ElementState>>,
    action: CasePath<Action, StackAction<ElementState, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: @escaping () -> Element,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Reduce<State, Action>
  where
    Element.State == ElementState, Element.Action == ElementAction, ElementState: Sendable
  {
    elementsOfStack(
      FieldPath(state), action, ChildReducer(element), erased(),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// Returns a reducer that runs the elements of a stack and their parent.
private func elementsOfStack<State, Action, ElementState: Sendable, ElementAction>(
  _ field: FieldPath<State, StackState<ElementState>>,
  _ path: CasePath<Action, StackAction<ElementState, ElementAction>>,
  _ element: ChildReducer<ElementState, ElementAction>, _ parent: Reduce<State, Action>,
  at location: IssueLocation
) -> Reduce<State, Action> {
  let owner = OperatorID()
  return Reduce(prune: pruneStack(owner, field, element, parent.prune)) { state, action in
    switch path.extract(from: action) {
    case nil: return parent.run(&state, action)
    case .push(let element):
      field.modify(&state) { _ = $0.append(element) }
      return parent.run(&state, action)
    case .popFrom(let id):
      let isThere = field.modify(&state) { $0[id: id] != nil }
      if !isThere { reportMissingChild("forEach", action: action, location: location) }
      let effect = parent.run(&state, action)
      field.modify(&state) { $0.pop(from: id) }
      return effect
    case .element(let id, let elementAction):
      let effect = field.modify(&state) { stack in
        stack.modify(id: id) { element.reduce(&$0, elementAction) }
      }
      guard let effect else {
        reportMissingChild("forEach", action: action, location: location)
        return parent.run(&state, action)
      }
      let parentEffect = parent.run(&state, action)
      if effect.isNone { return parentEffect }
      let dismissal = path.embed(.popFrom(id: id))
      return Effect(
        .child(
          ScopeKey(owner: owner, child: ChildIdentity(id)),
          effect.map { path.embed(.element(id: id, action: $0)) })
      )
      .mapRuns { $0.dismissing(by: dismissal, of: owner) }
      .merge(with: parentEffect)
    }
  }
}

private func pruneStack<State, ElementState, ElementAction>(
  _ owner: OperatorID, _ field: FieldPath<State, StackState<ElementState>>,
  _ element: ChildReducer<ElementState, ElementAction>,
  _ parent: ((State, EffectScope) -> Void)?
) -> Reduce<State, ElementAction>.Prune {
  { state, scope in
    if scope.hasChildren(of: owner) {
      let stack = field.get(state)
      for (child, childScope) in scope.children(of: owner) {
        guard let id = child.value as? StackElementID, let elementState = stack[id: id] else {
          scope.cancelChild(child, of: owner)
          continue
        }
        element.prune?(elementState, childScope)
      }
    }
    parent?(state, scope)
  }
}

extension Store {
  /// Returns the store of one element of a stack, or `nil` if it isn't on the stack.
  public func scope<ElementState, ElementAction>(
    id: StackElementID, state: KeyPath<State, StackState<ElementState>>,
    action: CasePath<Action, StackAction<ElementState, ElementAction>>
  ) -> Store<ElementState, ElementAction>? {
    optional(
      ScopeCacheKey(state: state, action: action.identity, element: id),
      state: { $0[keyPath: state][id: id] },
      embed: { action.embed(.element(id: id, action: $0)) })
  }

  /// Returns the stores of all elements of a stack, from bottom to top.
  public func scopes<ElementState, ElementAction>(
    state: KeyPath<State, StackState<ElementState>>,
    action: CasePath<Action, StackAction<ElementState, ElementAction>>
  ) -> [Store<ElementState, ElementAction>] {
    withState { $0[keyPath: state].ids }.compactMap { scope(id: $0, state: state, action: action) }
  }
}

/// An action of a stack of features.
public enum StackAction<State, Action> {
  /// An action of an element.
  case element(id: StackElementID, action: Action)
  /// Removes an element and all above it, after the parent has handled the action.
  case popFrom(id: StackElementID)
  /// Puts an element on top, before the parent handles the action.
  case push(State)
}

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Encodable where State: Encodable, Action: Encodable {}
extension StackAction: Decodable where State: Decodable, Action: Decodable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}

/// The action of a stack whose elements a reducer handles: `case path(StackActionOf<Path>)`.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>
