import Domain

/// How the person wants the lists of contacts sorted; the document `settings/lists` (ORD-1).
struct ListChoices: Codable, Equatable, Sendable {
  var responders: ContactOrder?
  var dependents: ContactOrder?

  /// The order that the list of a role has.
  subscript(role: Roles) -> ContactOrder {
    get { (role == .dependent ? dependents : responders) ?? ContactOrder.choices(for: role)[0] }
    set { if role == .dependent { dependents = newValue } else { responders = newValue } }
  }
}
