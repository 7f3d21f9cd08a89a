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
