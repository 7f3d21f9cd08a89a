public import FoundationEssentials

/// The directions of a relation; a contact has at least one (CON-1).
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

  /// What the invited person becomes for the user, as a phrase.
  public var invitedText: String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "your responder and dependent"
    case (false, true): "your dependent"
    default: "your responder"
    }
  }

  /// Returns what a person with these roles is to the user, as a sentence without its full stop.
  public func sentence(about name: String) -> String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "You and \(name) are each other's responders"
    case (false, true): "You are \(name)'s responder"
    default: "\(name) is your responder"
    }
  }

  /// What the roles mean for a contact with an account, one sentence for each.
  public var consequences: [String] {
    (contains(.responder)
      ? [
        "They are notified when you need help, and see your phone, address, emergency note and check-ins."
      ]
      : [])
      + (contains(.dependent)
        ? [
          "You are notified when they need help, and see their phone, address, emergency note and check-ins."
        ] : [])
  }

  /// The roles as they are shown on screen.
  public var displayText: String {
    switch (contains(.responder), contains(.dependent)) {
    case (true, true): "responds for you, and you for them"
    case (true, false): "responds for you"
    case (false, true): "you respond for them"
    case (false, false): "none"
    }
  }
}

/// A person the user has named, or who has named the user: an outside contact without an account,
/// reached by channels (CON-3), or another account in the same store (CON-1).
///
/// The name, phone and note of a linked contact come from the other account, as far as the relation
/// lets the user see them (CON-7).
public struct Contact: Identifiable, Equatable, Codable, Sendable {
  public package(set) var id: UUID
  public var name: String
  /// E.164, or `nil`.
  public var phone: String?
  public var note: String
  public var roles: Roles
  public var channels: [Channel]
  public var addedAt: Date
  /// The other account, or `nil` for an outside contact.
  @Boxed public var link: AccountLink?
  /// When an outside contact asked not to be one, after which nothing is sent to them (CON-3).
  public var declinedAt: Date?
  /// How long they wait before they are notified of a missed deadline, or `nil` for not at all
  /// (ESC-8).
  public var wait: ResponderWait?
  /// Whether they get a message at each of the user's check-ins, or, linked, the user at each of
  /// theirs (NOT-4); `nil` for no.
  public var hearsCheckIns: Bool?

  public init(
    id: UUID, name: String, phone: String? = nil, note: String = "", roles: Roles,
    channels: [Channel] = [], addedAt: Date, link: AccountLink? = nil, declinedAt: Date? = nil,
    wait: ResponderWait? = nil
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
    self.wait = wait
  }

  /// Whether they have an account; faster than reading ``link``.
  public var isLinked: Bool { !_link.isEmpty }

  /// Whether the relation is in effect; for an outside contact it is until they decline (CON-2,
  /// CON-3).
  public var isActive: Bool { _link.map { $0.state == .active } ?? (declinedAt == nil) }

  /// Whether they are notified of alerts, which needs their consent (CON-2).
  public var isResponder: Bool { roles.contains(.responder) && isActive }

  /// Whether an outside contact has no channels other than e-mail.
  public var hasOnlyMail: Bool { link == nil && channels.allSatisfy { $0.kind == .email } }

  public var email: String? { channels.first { $0.kind == .email }?.address }
}

/// The limits on contacts.
public enum ContactRules {
  /// To how many new addresses of outside contacts an account on a server is introduced within a day
  /// without a delay.
  public static let introductionsADay = 20
  /// How many messages about one person a recipient is sent within a day, besides calls for help
  /// and their ends (NOT-5).
  public static let messagesADay = 20
  /// How many messages a responder who chose it is sent about check-ins within a day (NOT-4).
  public static let checkInNewsADay = 6
  /// How many of ``messagesADay`` these can be on all of a responder's channels.
  public static let checkInNewsRowsADay = 12
  /// After how many of these no test and no drill is sent, so that they delay nothing else.
  public static let testsADay = 10
}
