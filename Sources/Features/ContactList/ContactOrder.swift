import Domain
import FoundationEssentials

/// What a list of contacts is sorted by, within the groups that come first whatever is chosen
/// (ORD-1, ORD-3).
public enum ContactOrder: String, Codable, CaseIterable, Equatable, Sendable {
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

  /// Contacts in this order.
  /// - Parameter contacts: Contacts by name, as the store has them.
  func sorted(_ contacts: [Contact], for role: Roles, at now: Date) -> [Contact] {
    // The keys are made once; what has the same key stays by name.
    let keys = contacts.map { contact in
      role == .dependent ? dependentKey(contact, now) : Self.responderKey(contact, now)
    }
    return contacts.indices.sorted { left, right in
      (keys[left].group, keys[left].value, left) < (keys[right].group, keys[right].value, right)
    }.map { contacts[$0] }
  }

  private typealias Key = (group: Int, value: Double)

  /// ORD-3: who asks something of me comes first, the newest ping before others.
  private static func responderKey(_ contact: Contact, _ now: Date) -> Key {
    if contact.link?.state == .offered { return (0, 0) }
    if let ping = contact.openReceivedPing(at: now) {
      return (1, -ping.sentAt.timeIntervalSince1970)
    }
    return (contact.isActive ? 2 : 3, 0)
  }

  /// ORD-1: active alert; non-responsive; with my open ping; rest. Those who cannot check in here come
  /// after those who can.
  private func dependentKey(_ contact: Contact, _ now: Date) -> Key {
    let value: Double
    switch self {
    case .timeLeft:
      value = contact.link?.standing?.deadline.date.timeIntervalSince1970 ?? .infinity
    case .name: value = 0
    case .dateAdded: value = -contact.addedAt.timeIntervalSince1970
    }
    if contact.link?.state == .offered { return (0, value) }
    switch contact.link?.standing?.status(at: now) {
    case .alert: return (1, value)
    case .nonResponsive: return (2, value)
    default: break
    }
    if contact.openSentPing(at: now) != nil { return (3, value) }
    return (contact.isActive ? 4 : 5, value)
  }
}
