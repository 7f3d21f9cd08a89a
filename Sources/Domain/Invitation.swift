public import FoundationEssentials

/// A member's invitation to the server of their account, for one person. The person who opens an
/// account with it becomes their contact at once, since both have consented (CON-2).
public struct Invitation: Identifiable, Equatable, Codable, Sendable {
  public let id: UUID
  /// The invited person's roles, as the member sees them.
  public var roles: Roles
  public var createdAt: Date
  public var expiresAt: Date

  public init(id: UUID, roles: Roles, createdAt: Date, expiresAt: Date) {
    self.id = id
    self.roles = roles
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }

  /// How long an invitation can be used.
  public static let lifetime = TimeSpan.days(7)
  /// How many open invitations a member can have.
  public static let mostOpen = 10
}

extension Invitation {
  /// Why an invitation no longer opens an account, shown to a person who has its whole code.
  public enum End: String, Equatable, Codable, CaseIterable, Sendable {
    case used, expired, revoked
    /// The member who made it was disabled by the person who runs the server.
    case memberDisabled

    public var text: ErrorText {
      switch self {
      case .used:
        ErrorText(
          "INVITATION_USED", "This invitation has been used.",
          recovery:
            "If it was you, sign in: lifesignal join LINK without --name. Otherwise ask for a new one."
        )
      case .expired:
        ErrorText(
          "INVITATION_EXPIRED", "This invitation has expired.",
          recovery: "Ask the person who invited you for a new one.")
      case .revoked:
        ErrorText(
          "INVITATION_REVOKED", "This invitation was revoked.",
          recovery: "Ask the person who invited you for a new one.")
      case .memberDisabled:
        ErrorText(
          "INVITATION_DISABLED", "The person who made this invitation can't invite anyone now.",
          recovery: "Ask the person who runs the server for one.")
      }
    }
  }
}

/// A newly made invitation. Its link is stored nowhere and shown only this once.
public struct NewInvitation: Equatable, Codable, Sendable {
  public var invitation: Invitation
  public var link: Secret<String>

  public init(_ invitation: Invitation, link: Secret<String>) {
    self.invitation = invitation
    self.link = link
  }
}

/// What an invitation offers, shown to the invited person before they open an account.
public struct InvitationOffer: Equatable, Codable, Sendable {
  /// The member's name.
  public var name: String
  /// The member's roles, as the invited person sees them.
  public var roles: Roles

  public init(name: String, roles: Roles) {
    self.name = name
    self.roles = roles
  }

  /// Who invites, what the invited person becomes, and what that means.
  public var sentences: [String] {
    let end =
      switch (roles.contains(.responder), roles.contains(.dependent)) {
      case (true, true): "you and \(name) become each other's responders"
      case (false, true): "you become \(name)'s responder"
      default: "\(name) becomes your responder"
      }
    return ["\(name) invites you: \(end)."] + roles.consequences
  }
}
