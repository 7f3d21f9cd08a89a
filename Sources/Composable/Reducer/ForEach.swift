extension Reducer {
  /// Runs a row's reducer on the row whose action comes, before this reducer.
  ///
  /// The row is changed in place, in constant time. When a row is removed, its effects are
  /// cancelled at the end of the same send.
  ///
  /// - Parameters:
  ///   - state: The rows.
  ///   - action: The case that holds the rows' actions.
  ///   - element: The reducer of a row.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  public func forEach<ID: Hashable & Sendable, ElementState, ElementAction, Element: Reducer>(
    _ state: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CasePath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> ReducerSequence<State, Action>
  where Element.State == ElementState, Element.Action == ElementAction {
    let node = ForEachNode(
      field: FieldPath(state), action: action, element: element().makeNode(),
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return ReducerSequence([node, makeNode()])
  }
}

/// Runs a row's reducer in place.
final class ForEachNode<
  State, Action: Sendable, ID: Hashable & Sendable, ElementState: Identifiable,
  ElementAction: Sendable
>: ReducerNode<State, Action> where ElementState.ID == ID {
  private let field: FieldPath<State, IdentifiedArray<ID, ElementState>>
  private let action: CasePath<Action, IdentifiedAction<ID, ElementAction>>
  private let element: ReducerNode<ElementState, ElementAction>
  private let location: IssueLocation

  init(
    field: FieldPath<State, IdentifiedArray<ID, ElementState>>,
    action: CasePath<Action, IdentifiedAction<ID, ElementAction>>,
    element: ReducerNode<ElementState, ElementAction>, location: IssueLocation
  ) {
    self.field = field
    self.action = action
    self.element = element
    self.location = location
  }

  override func reduce(_ state: inout State, _ action: Action) -> Effect<Action> {
    guard case .element(let id, let elementAction)? = self.action.extract(from: action) else {
      return .none
    }
    let effect = field.modify(&state) { rows in
      rows.modify(id: id) { element.reduce(&$0, elementAction) }
    }
    guard let effect else {
      reportMissingChild("forEach", action: action, location: location)
      return .none
    }
    guard effect.operation != nil else { return .none }
    let path = self.action
    let embed = CasePath<Action, ElementAction>({ path.embed(.element(id: id, action: $0)) }) { _ in
      nil
    }
    return effect.inChild(ChildIdentity(id), of: self.id, embed: embed)
  }

  override func prune(_ state: inout State, _ scope: EffectScope) {
    guard scope.hasChildren(of: id) else { return }
    field.modify(&state) { rows in
      scope.cancelChildren(of: id) { identity in
        guard let id = identity.value as? ID else { return true }
        return !rows.contains(id: id)
      }
      for (identity, child) in scope.children(of: id) {
        guard let id = identity.value as? ID else { continue }
        rows.modify(id: id) { element.prune(&$0, child) }
      }
    }
  }
}
