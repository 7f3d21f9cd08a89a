public import FoundationEssentials

/// Which way a relation points; at least one role holds (CON-1).
public struct Roles: OptionSet, Hashable, Codable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// They respond for me: they are notified when I miss a deadline or raise an alert.
  public static let responder = Roles(rawValue: 1)
  /// I respond for them.
  public static let dependent = Roles(rawValue: 2)

  /// The same relation as its other side sees it (CON-1).
  public var swapped: Roles {
    var swapped: Roles = []
    if contains(.responder) { swapped.insert(.dependent) }
    if contains(.dependent) { swapped.insert(.responder) }
    return swapped
  }

  /// What the invited person becomes to the user.
  public var invitedText: String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "your responder and dependent"
    case (false, true): "your dependent"
    default: "your responder"
    }
  }

  /// Who somebody with these roles is, in a sentence without its end.
  public func sentence(about name: String) -> String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "You and \(name) are each other's responders"
    case (false, true): "You are \(name)'s responder"
    default: "\(name) is your responder"
    }
  }

  /// What the roles of another account mean, a sentence for each.
  public var consequences: [String] {
    (contains(.responder)
      ? ["They are notified when you need help, and see your phone, emergency note and check-ins."]
      : [])
      + (contains(.dependent)
        ? [
          "You are notified when they need help, and see their phone, emergency note and check-ins."
        ] : [])
  }

  /// The roles in the words of the screen.
  public var displayText: String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "responds for you, and you for them"
    case (true, false): "responds for you"
    case (false, true): "you respond for them"
    case (false, false): "none"
    }
  }
}

/// A person the user named, or who named the user: an outside contact without an account,
/// reached by channels (CON-3), or another account of the same store (CON-1).
///
/// Of another account name, phone and note are the other person's own, as far as the relation lets
/// the user see them (CON-7).
public struct Contact: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  public var name: String
  /// E.164, or `nil`.
  public var phone: String?
  public var note: String
  public var roles: Roles
  public var channels: [Channel]
  public var addedAt: Date
  /// The other account, or `nil` for an outside contact.
  @Boxed public var link: AccountLink?
  /// When an outside contact said that they do not want to be one: nothing more is sent to them
  /// (CON-3).
  public var declinedAt: Date?

  public init(
    id: UUID, name: String, phone: String? = nil, note: String = "", roles: Roles,
    channels: [Channel] = [], addedAt: Date, link: AccountLink? = nil, declinedAt: Date? = nil
  ) {
    self.id = id
    self.name = name
    self.phone = phone
    self.note = note
    self.roles = roles
    self.channels = channels
    self.addedAt = addedAt
    _link = Boxed(wrappedValue: link)
    self.declinedAt = declinedAt
  }

  /// Whether they have an account; quicker than to look at ``link``.
  public var isLinked: Bool { !_link.isEmpty }

  /// Whether the relation counts: that of an outside contact does until they decline (CON-2, CON-3).
  public var isActive: Bool { _link.map { $0.state == .active } ?? (declinedAt == nil) }

  /// Whether they are notified of alerts: not without their consent (CON-2).
  public var isResponder: Bool { roles.contains(.responder) && isActive }

  /// Whether an outside contact can be notified by e-mail alone.
  public var hasOnlyMail: Bool { link == nil && channels.allSatisfy { $0.kind == .email } }

  public var email: String? { channels.first { $0.kind == .email }?.address }
}
