import Domain

/// What a list of contacts is sorted by (ORD-1, ORD-3). The time left comes with dependents who have
/// accounts of their own.
public enum ContactOrder: String, Codable, CaseIterable, Equatable, Sendable {
  case name
  /// Newest first.
  case dateAdded

  /// The orders that the list of a role can have.
  static func choices(for role: Roles) -> [ContactOrder] {
    role == .dependent ? allCases : [.name]
  }

  var title: String {
    switch self {
    case .name: "by name"
    case .dateAdded: "by date added"
    }
  }

  /// Contacts in this order.
  /// - Parameter contacts: Contacts by name, as the store has them.
  func sorted(_ contacts: [Contact]) -> [Contact] {
    switch self {
    case .name: contacts
    case .dateAdded: contacts.sorted { $0.addedAt > $1.addedAt }
    }
  }
}
