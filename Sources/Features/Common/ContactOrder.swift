import Domain
import FoundationEssentials

/// The order of a contact list, within groups that take precedence over it (ORD-1, ORD-3).
enum ContactOrder: String, Codable, CaseIterable, Equatable, Sendable {
  /// Earliest deadline first.
  case timeLeft
  case name
  /// Newest first.
  case dateAdded

  /// The available orders for a role, the default first.
  static func choices(for role: Roles) -> [ContactOrder] {
    role == .dependent ? allCases : [.name, .dateAdded]
  }

  var title: String {
    switch self {
    case .timeLeft: "by time left"
    case .name: "by name"
    case .dateAdded: "by date added"
    }
  }

  /// The contacts with a role, in this order.
  /// - Parameter contacts: Contacts by name, as the store returns them.
  func sorted(_ contacts: [Contact], for role: Roles, at now: Date) -> [Contact] {
    // Compute each key once. Contacts with equal keys stay sorted by name.
    var places: [(key: Key, index: Int)] = []
    places.reserveCapacity(contacts.count)
    for index in contacts.indices where contacts[index].roles.contains(role) {
      places.append((key(contacts[index], for: role, at: now), index))
    }
    places.sort { left, right in
      (left.key.group, left.key.value, left.index) < (right.key.group, right.key.value, right.index)
    }
    return places.map { contacts[$0.index] }
  }

  /// Whether the passing of time alone changes the order.
  /// - Parameter linked: The contacts with accounts. The place of the others doesn't depend on the
  ///   time.
  func changes(_ linked: [Contact], for role: Roles, from old: Date, to new: Date) -> Bool {
    linked.contains { contact in
      contact.roles.contains(role)
        && key(contact, for: role, at: old) != key(contact, for: role, at: new)
    }
  }

  private typealias Key = (group: Int, value: Double)

  private func key(_ contact: Contact, for role: Roles, at now: Date) -> Key {
    role == .dependent ? dependentKey(contact, now) : responderKey(contact, now)
  }

  /// The key by ORD-3: contacts with an open request first, then those with a ping, newest first.
  private func responderKey(_ contact: Contact, _ now: Date) -> Key {
    let value = self == .dateAdded ? -contact.addedAt.timeIntervalSince1970 : 0
    if contact.isLinked {
      if contact.link?.state == .offered { return (0, value) }
      if let ping = contact.openReceivedPing(at: now) {
        return (1, -ping.sentAt.timeIntervalSince1970)
      }
    }
    return (contact.isActive ? 2 : 3, value)
  }

  /// The key by ORD-1: active alert, non-responsive, with an open ping from the person, then the
  /// rest. Inactive contacts come last.
  private func dependentKey(_ contact: Contact, _ now: Date) -> Key {
    let link = contact.link
    let value: Double
    switch self {
    case .timeLeft: value = link?.dependentStatus?.deadline.date.timeIntervalSince1970 ?? .infinity
    case .name: value = 0
    case .dateAdded: value = -contact.addedAt.timeIntervalSince1970
    }
    let rest = contact.isActive ? 4 : 5
    guard let link else { return (rest, value) }
    if link.state == .offered { return (0, value) }
    switch link.dependentStatus?.status(at: now) {
    case .alert: return (1, value)
    case .nonResponsive: return (2, value)
    default: return (contact.openSentPing(at: now) == nil ? rest : 3, value)
    }
  }
}
