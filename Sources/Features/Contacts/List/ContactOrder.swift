import Domain
import FoundationEssentials

/// What a list of contacts is sorted by, within the groups that come first whatever is chosen
/// (ORD-1, ORD-3).
enum ContactOrder: String, Codable, CaseIterable, Equatable, Sendable {
  /// Whose deadline comes first.
  case timeLeft
  case name
  /// Newest first.
  case dateAdded

  /// The orders that the list of a role can have, the default first.
  static func choices(for role: Roles) -> [ContactOrder] {
    role == .dependent ? allCases : [.name]
  }

  var title: String {
    switch self {
    case .timeLeft: "by time left"
    case .name: "by name"
    case .dateAdded: "by date added"
    }
  }

  /// The contacts with a role, in this order.
  /// - Parameter contacts: Contacts by name, as the store has them.
  func sorted(_ contacts: [Contact], for role: Roles, at now: Date) -> [Contact] {
    // The keys are made once; what has the same key stays by name.
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

  /// Whether the passing of time alone moves anybody.
  /// - Parameter linked: The contacts with accounts; of the others nothing depends on the time.
  func changes(_ linked: [Contact], for role: Roles, from old: Date, to new: Date) -> Bool {
    linked.contains { contact in
      contact.roles.contains(role)
        && key(contact, for: role, at: old) != key(contact, for: role, at: new)
    }
  }

  private typealias Key = (group: Int, value: Double)

  private func key(_ contact: Contact, for role: Roles, at now: Date) -> Key {
    role == .dependent ? dependentKey(contact, now) : Self.responderKey(contact, now)
  }

  /// ORD-3: who asks something of me comes first, the newest ping before others.
  private static func responderKey(_ contact: Contact, _ now: Date) -> Key {
    if contact.isLinked {
      if contact.link?.state == .offered { return (0, 0) }
      if let ping = contact.openReceivedPing(at: now) {
        return (1, -ping.sentAt.timeIntervalSince1970)
      }
    }
    return (contact.isActive ? 2 : 3, 0)
  }

  /// ORD-1: active alert; non-responsive; with my open ping; rest. Those who cannot check in here come
  /// after those who can.
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
