extension Reducer {
  /// Runs the reducer of a row on the row that an action is for, before this reducer.
  ///
  /// The row is modified in place, in constant time. The effects of a removed row are cancelled at
  /// the end of the same send.
  ///
  /// - Parameters:
  ///   - state: The rows.
  ///   - action: The case that holds the rows' actions.
  ///   - element: The reducer of a row.
  ///   - fileID: The module and file of this operator.
  ///   - filePath: The path of the file.
  ///   - line: The line of this operator.
  ///   - column: The column of this operator.
  @inlinable
  public func forEach<ID: Hashable & Sendable, ElementState, ElementAction, Element: Reducer>(
    _ state: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CasePath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: @escaping () -> Element,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) -> Reduce<State, Action>
  where Element.State == ElementState, Element.Action == ElementAction {
    let rows: Reduce<State, Action> = rowsOfList(
      FieldPath(state), action, ChildReducer(element),
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    return rows.then(erased())
  }
}

/// Returns a reducer that runs a row's reducer in place.
@inlinable
func rowsOfList<State, Action, ID, ElementState, ElementAction>(
  _ field: FieldPath<State, IdentifiedArray<ID, ElementState>>,
  _ action: CasePath<Action, IdentifiedAction<ID, ElementAction>>,
  _ element: ChildReducer<ElementState, ElementAction>, at location: IssueLocation
) -> Reduce<State, Action> {
  let id = OperatorID()
  let path = action
  return Reduce(prune: pruneRows(id, field, element)) { state, action in
    guard case .element(let rowID, let rowAction)? = path.extract(from: action) else {
      return .none
    }
    let effect = field.modify(&state) { rows in
      rows.modify(id: rowID) { element.reduce(&$0, rowAction) }
    }
    guard let effect else {
      reportMissingChild("forEach", action: action, location: location)
      return .none
    }
    return effect.isNone ? .none : effect.inRow(rowID, of: id, embed: path)
  }
}

extension Effect {
  /// Returns this effect of a row as an effect of its parent.
  @usableFromInline
  func inRow<Parent: Sendable, ID: Hashable & Sendable>(
    _ row: ID, of owner: OperatorID, embed: CasePath<Parent, IdentifiedAction<ID, Action>>
  ) -> Effect<Parent> {
    Effect<Parent>(
      .child(
        ScopeKey(owner: owner, child: ChildIdentity(row)),
        map { embed.embed(.element(id: row, action: $0)) }))
  }
}

@usableFromInline
func pruneRows<State, ID: Hashable & Sendable, ElementState, ElementAction>(
  _ id: OperatorID, _ field: FieldPath<State, IdentifiedArray<ID, ElementState>>,
  _ element: ChildReducer<ElementState, ElementAction>
) -> Reduce<State, ElementAction>.Prune {
  { state, scope in
    guard scope.hasChildren(of: id) else { return }
    let rows = field.get(state)
    for (row, child) in scope.children(of: id) {
      guard let rowID = row.value as? ID, let rowState = rows[id: rowID] else {
        scope.cancelChild(row, of: id)
        continue
      }
      element.prune?(rowState, child)
    }
  }
}

/// An action of one row of a list.
public enum IdentifiedAction<ID: Hashable & Sendable, Action> {
  /// The action of the row with this id.
  case element(id: ID, action: Action)
}

extension IdentifiedAction: Equatable where Action: Equatable {}
extension IdentifiedAction: Hashable where Action: Hashable {}
extension IdentifiedAction: Encodable where ID: Encodable, Action: Encodable {}
extension IdentifiedAction: Decodable where ID: Decodable, Action: Decodable {}
extension IdentifiedAction: Sendable where Action: Sendable {}

/// The action of a list whose rows a reducer handles: `case rows(IdentifiedActionOf<RowFeature>)`.
public typealias IdentifiedActionOf<R: Reducer> = IdentifiedAction<R.State.ID, R.Action>
where R.State: Identifiable, R.State.ID: Sendable
