public import Composable
public import Domain

/// Invitations to the server of the user's account (SHARED 10). On the account of a machine everything here
/// throws ``ClientError/invitationsNeedServer``.
public struct InvitationClient: ClientInterface {
  /// The user's that can be used, the newest first.
  @Endpoint("InvitationClient.invitations")
  public var invitations: @Sendable () async throws(ClientError) -> [Invitation]
  /// Makes one for one person, who gets these roles, as the user sees them. Its code is made here and sent
  /// nowhere: the server has its digest. After one whose answer was lost, the next for the same roles has the same
  /// code, and is the same one.
  /// - Throws: ``ClientError/tooManyInvitations``, ``ClientError/registrationClosed``.
  @Endpoint("InvitationClient.create")
  public var create: @Sendable (Roles) async throws(ClientError) -> NewInvitation
  /// Keeps the digest of a code; again, it is the invitation that it was. See ``create``.
  @Endpoint("InvitationClient.add")
  public var add: @Sendable (_ digest: String, Roles) async throws(ClientError) -> Invitation
  /// Makes one worthless that nobody has used; one that is gone is gone.
  /// - Throws: ``ClientError/invitationUsed(by:roles:)``.
  @Endpoint("InvitationClient.revoke")
  public var revoke: @Sendable (Invitation.ID) async throws(ClientError) -> Void
  /// What the invitation by which this app came to the server makes of who opens an account; `nil` where it
  /// makes nobody a contact.
  /// - Throws: ``ClientError/inviteRequired``, ``ClientError/invitationOver(_:)``.
  @Endpoint("InvitationClient.offer")
  public var offer: @Sendable () async throws(ClientError) -> InvitationOffer?
  /// Shows the server this invitation from now on, a link or its code, for who opens an account; nothing with an empty
  /// text.
  /// - Throws: ``ClientError/codeElsewhere(_:here:)``, ``ClientError/inviteRequired`` for a link that is cut off.
  @Endpoint("InvitationClient.show")
  public var show: @Sendable (_ typed: String) async throws(ClientError) -> Void
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
