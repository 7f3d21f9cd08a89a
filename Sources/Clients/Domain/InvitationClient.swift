public import Composable
public import Domain

/// Invitations to the server of the user's account. For an account on this machine every operation
/// throws ``ClientError/invitationsNeedServer``.
public struct InvitationClient: ClientInterface {
  /// Returns the user's open invitations, newest first.
  @Endpoint("InvitationClient.invitations")
  public var invitations: @Sendable () async throws(ClientError) -> [Invitation]
  /// Makes an invitation for one person, who gets these roles, as the user sees them. The code is
  /// made here and never sent: the server gets only its digest. If the answer is lost, the next
  /// call for the same roles makes the same code, and so returns the same invitation.
  /// - Throws: ``ClientError/tooManyInvitations``, ``ClientError/registrationClosed``.
  @Endpoint("InvitationClient.create")
  public var create: @Sendable (Roles) async throws(ClientError) -> NewInvitation
  /// Stores the digest of a code, or returns the invitation that has it already. See ``create``.
  @Endpoint("InvitationClient.add")
  public var add: @Sendable (_ digest: String, Roles) async throws(ClientError) -> Invitation
  /// Revokes an invitation that has not been used; does nothing if it is gone.
  /// - Throws: ``ClientError/invitationUsed(by:roles:)``.
  @Endpoint("InvitationClient.revoke")
  public var revoke: @Sendable (Invitation.ID) async throws(ClientError) -> Void
  /// Returns what the invitation by which this app came to the server offers a new account, or
  /// `nil` if it makes nobody a contact.
  /// - Throws: ``ClientError/inviteRequired``, ``ClientError/invitationOver(_:)``.
  @Endpoint("InvitationClient.offer")
  public var offer: @Sendable () async throws(ClientError) -> InvitationOffer?
  /// Sets the invitation, a link or its code, that the server is shown from now on when an account
  /// is opened; an empty text sets none.
  /// - Throws: ``ClientError/codeElsewhere(_:here:)``; ``ClientError/inviteRequired`` for a link
  ///   that is cut off.
  @Endpoint("InvitationClient.setInvitation")
  public var setInvitation: @Sendable (_ typed: String) async throws(ClientError) -> Void
  /// ``invitations`` now and after every change.
  @StreamEndpoint("InvitationClient.observe")
  public var observe: @Sendable () -> AsyncThrowingStream<[Invitation], any Error>

  public init() {}
}

extension DependencyValues {
  public var invitationClient: InvitationClient {
    get { self[InvitationClient.self] }
    set { self[InvitationClient.self] = newValue }
  }
}
