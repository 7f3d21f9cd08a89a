import Domain

/// The orders of the contact lists that were chosen on this terminal (ORD-1).
struct ListChoices: Codable, Equatable, Sendable {
  var responders: ContactOrder?
  var dependents: ContactOrder?

  /// The order of a role's list.
  subscript(role: Roles) -> ContactOrder {
    get { (role == .dependent ? dependents : responders) ?? ContactOrder.choices(for: role)[0] }
    set { if role == .dependent { dependents = newValue } else { responders = newValue } }
  }
}
