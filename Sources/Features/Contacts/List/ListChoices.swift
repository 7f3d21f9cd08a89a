public import Domain

/// How the person wants the lists of contacts sorted; the document `settings/lists` (ORD-1).
public struct ListChoices: Codable, Equatable, Sendable {
  public var responders: ContactOrder?
  public var dependents: ContactOrder?

  public init() {}

  /// The order that the list of a role has.
  public subscript(role: Roles) -> ContactOrder {
    get { (role == .dependent ? dependents : responders) ?? ContactOrder.choices(for: role)[0] }
    set { if role == .dependent { dependents = newValue } else { responders = newValue } }
  }
}
