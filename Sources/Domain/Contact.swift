public import FoundationEssentials

/// Which way a relation points; at least one role holds (CON-1).
public struct Roles: OptionSet, Hashable, Codable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// They respond for me: they are told when I miss a deadline or raise an alert.
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

/// A way to reach somebody.
public struct Channel: Identifiable, Hashable, Codable, Sendable {
  public let id: UUID
  public var kind: Kind
  /// For e-mail the address, already checked by ``ProfileRules/email(_:)``.
  public var address: String

  public init(id: UUID, kind: Kind, address: String) {
    self.id = id
    self.kind = kind
    self.address = address
  }

  public enum Kind: String, Hashable, Codable, CaseIterable, Sendable {
    case email
  }
}

/// Somebody whom the user named, or who named the user: an outside contact without an account,
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

  public init(
    id: UUID, name: String, phone: String? = nil, note: String = "", roles: Roles,
    channels: [Channel] = [], addedAt: Date, link: AccountLink? = nil
  ) {
    self.id = id
    self.name = name
    self.phone = phone
    self.note = note
    self.roles = roles
    self.channels = channels
    self.addedAt = addedAt
    _link = Boxed(wrappedValue: link)
  }

  /// Whether they have an account; quicker than to look at ``link``.
  public var isLinked: Bool { !_link.isEmpty }

  /// Whether the relation counts: that of an outside contact always does (CON-2).
  public var isActive: Bool { link.map { $0.state == .active } ?? true }

  public var email: String? { channels.first { $0.kind == .email }?.address }
}

/// A contact as it was typed and checked, before the store gives it an identity.
public struct ContactDraft: Equatable, Codable, Sendable {
  public var name: String
  public var phone: String?
  public var note: String
  /// The address of the contact's e-mail channel, or `nil` for none.
  public var email: String?
  public var roles: Roles

  public init(
    name: String, phone: String? = nil, note: String = "", email: String? = nil, roles: Roles
  ) {
    self.name = name
    self.phone = phone
    self.note = note
    self.email = email
    self.roles = roles
  }

  /// A draft from what was typed.
  ///
  /// A responder needs an e-mail address, since nothing else could tell them.
  /// - Throws: the first ``ValidationError``, in the order name, e-mail, phone, note, roles.
  public init(
    validating name: String, email: String, phone: String = "", note: String = "", roles: Roles
  ) throws(ValidationError) {
    self.name = try ProfileRules.name(name)
    if roles.contains(.responder) || !email.trimmingWhitespace().isEmpty {
      self.email = try ProfileRules.email(email)
    } else {
      self.email = nil
    }
    self.phone = try ProfileRules.phone(phone)
    self.note = try ProfileRules.note(note)
    guard !roles.isEmpty else { throw .roleRequired }
    self.roles = roles
  }

  /// Reads `Name <e-mail>`, the form of the command line's `--responder`.
  public init(parsingResponder text: String) throws(ValidationError) {
    let trimmed = text.trimmingWhitespace()
    guard trimmed.hasSuffix(">"), let open = trimmed.lastIndex(of: "<") else { throw .email }
    try self.init(
      validating: String(trimmed[..<open]),
      email: String(trimmed[trimmed.index(after: open)...].dropLast()), roles: .responder)
  }
}
