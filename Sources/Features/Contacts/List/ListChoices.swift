import Domain

/// The chosen orders of the contact lists, stored as the document `settings/lists` (ORD-1).
struct ListChoices: Codable, Equatable, Sendable {
  var responders: ContactOrder?
  var dependents: ContactOrder?

  /// The order of a role's list.
  subscript(role: Roles) -> ContactOrder {
    get { (role == .dependent ? dependents : responders) ?? ContactOrder.choices(for: role)[0] }
    set { if role == .dependent { dependents = newValue } else { responders = newValue } }
  }
}
