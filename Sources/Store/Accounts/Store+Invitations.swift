package import Clients
import Cryptography
package import Domain
import FoundationEssentials

/// Invitations to create an account on a server. The store keeps only a digest of each code.
extension Store {
  /// Makes an administrator's invitation.
  /// - Returns: Its code.
  package func invite(uses: Int, lifetime: TimeSpan) throws(ClientError) -> String {
    let code = SecureToken.invitation
    try write(.other) {
      let now = now()
      try forgetInvitations(now)
      try database.run(
        "INSERT INTO invite (code, created_at, expires_at, uses_left) VALUES (?1, ?2, ?3, ?4)",
        code.digest, now, now + lifetime, uses)
      return ()
    }
    return code.text
  }

  /// Deletes invitations a month after they end. Until then, the invited person learns why theirs
  /// no longer works.
  private func forgetInvitations(_ now: Date) throws(StorageError) {
    try database.run("DELETE FROM invite WHERE expires_at <= ?1", now - .days(30))
  }

  // MARK: Members' invitations

  func invitations() throws(ClientError) -> [Invitation] {
    try read { try invitations(of: requireMember()) }
  }

  /// Makes an invitation for one person. Returns the existing one if the code is the same: a client
  /// repeats a request whose answer it didn't get.
  /// - Parameter digest: The digest of the code, which only the member has.
  func addInvitation(_ digest: String, _ roles: Roles) throws(ClientError) -> Invitation {
    try write(.other) {
      guard !roles.isEmpty else { throw ValidationError.roleRequired }
      guard SecureToken.isDigest(digest) else {
        throw StorageError.serialization("the code of an invitation has no such digest")
      }
      let key = try requireMember()
      guard session.signUpPolicy != .closed else { throw ClientError.registrationClosed }
      let now = now().stored
      try forgetInvitations(now)
      let made = try database.row(
        "SELECT \(Self.columns) FROM invite WHERE code = ?1 AND created_by = ?2", digest, key,
        read: Self.invitation)
      if let made, made.expiresAt > now { return made }
      // It was revoked before its maker had the link.
      try database.run("DELETE FROM invite WHERE code = ?1 AND created_by = ?2", digest, key)
      guard try invitations(of: key).count < Invitation.mostOpen else {
        throw ClientError.tooManyInvitations
      }
      let invitation = Invitation(
        id: makeUUID(), roles: roles, createdAt: now, expiresAt: now + Invitation.lifetime)
      try database.run(
        """
        INSERT INTO invite (code, created_at, expires_at, uses_left, id, created_by, roles)
        VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6)
        """, digest, now, invitation.expiresAt, invitation.id, key, roles)
      try noteChange(of: key)
      return invitation
    }
  }

  /// Revokes an invitation.
  /// - Throws: ``Clients/ClientError/invitationUsed(by:roles:)`` while the person who used it is a
  ///   contact.
  func revokeInvitation(_ id: Invitation.ID) throws(ClientError) {
    try write(.other) {
      let key = try requireMember()
      // A used invitation has become the relation with its identifier.
      if let side = try relation(id, of: key) {
        throw ClientError.invitationUsed(by: try name(of: side.peer), roles: side.roles)
      }
      // An end equal to the start marks a revoked invitation.
      try database.run(
        """
        UPDATE invite SET expires_at = created_at
        WHERE created_by = ?1 AND id = ?2 AND uses_left > 0 AND expires_at > ?3
        """, key, id, now())
      try noteChange(of: key)
    }
  }

  /// Returns the key of the signed-in account on a server, where others can be invited.
  private func requireMember() throws -> Int {
    guard session.isRemote else { throw ClientError.invitationsNeedServer }
    return try requireCurrentKey()
  }

  /// Returns the invitations that can still be used, newest first.
  private func invitations(of key: Int) throws(StorageError) -> [Invitation] {
    try database.rows(
      """
      SELECT \(Self.columns) FROM invite
      WHERE created_by = ?1 AND expires_at > ?2 AND uses_left > 0
      ORDER BY created_at DESC, id
      """, key, now(), read: Self.invitation)
  }

  private static let columns = "id, roles, created_at, expires_at"

  private static func invitation(_ row: inout RowReader) throws(StorageError) -> Invitation {
    Invitation(
      id: try row.read(), roles: try row.read(), createdAt: try row.read(),
      expiresAt: try row.read())
  }

  // MARK: Opening an account

  /// Returns how the shown invitation relates a new account to its maker, or `nil` if it makes
  /// nobody a contact.
  /// - Throws: ``Clients/ClientError/inviteRequired``, or
  ///   ``Clients/ClientError/invitationOver(_:)`` if the caller has the whole code.
  func invitationOffer() throws(ClientError) -> InvitationOffer? {
    guard let digest = try shownDigest() else { return nil }
    return try read { () throws -> InvitationOffer? in
      let found = try database.row(
        """
        SELECT account.name, invite.roles
        FROM invite LEFT JOIN account ON account.key = invite.created_by
        WHERE invite.code = ?1 AND \(Self.isUsable)
        """, digest, now()
      ) { row throws(StorageError) -> (name: String?, roles: Roles?) in
        (try row.read(), try row.read())
      }
      guard let found else { return try refuse(digest) }
      guard let name = found.name, let roles = found.roles else { return nil }
      return InvitationOffer(name: name, roles: roles.swapped)
    }
  }

  /// Takes one use of an invitation, in the transaction that creates the account.
  /// - Returns: Its identifier, the member who made it, and the roles of the new account as they
  ///   see them.
  func passDoor() throws -> (id: Invitation.ID, member: Int, roles: Roles)? {
    guard let digest = try shownDigest() else { return nil }
    let taken = try database.row(
      """
      UPDATE invite SET uses_left = uses_left - 1
      WHERE code = ?1 AND \(Self.isUsable) RETURNING id, created_by, roles
      """, digest, now()
    ) { row throws(StorageError) -> (id: UUID?, member: Int?, roles: Roles?) in
      (try row.read(), try row.read(), try row.read())
    }
    guard let taken else { return try refuse(digest) }
    guard let id = taken.id, let member = taken.member, let roles = taken.roles else { return nil }
    return (id, member, roles)
  }

  /// Returns `nil` where nobody needs an invitation. Otherwise throws why this one can't be used.
  private func refuse<Offer>(_ digest: String) throws -> Offer? {
    if session.signUpPolicy.isOpen { return nil }
    let end = try database.row(
      "SELECT uses_left, created_at, expires_at FROM invite WHERE code = ?1", digest
    ) { row throws(StorageError) -> Invitation.End in
      let (uses, start, end): (Int, Date, Date) = (
        try row.read(), try row.read(), try row.read()
      )
      if uses == 0 { return .used }
      if end <= start { return .revoked }
      return end <= now() ? .expired : .memberDisabled
    }
    throw end.map(ClientError.invitationOver) ?? ClientError.inviteRequired
  }

  /// Whether an invitation can be used. A disabled member's can't, and those of a member who has
  /// left are deleted.
  private static let isUsable = """
    invite.uses_left > 0 AND invite.expires_at > ?2
      AND NOT EXISTS (SELECT 1 FROM account AS member
        WHERE member.key = invite.created_by AND member.disabled_at IS NOT NULL)
    """

  /// The digest of the code that is shown; `nil` where none is needed.
  private func shownDigest() throws(ClientError) -> String? {
    switch session.signUpPolicy {
    case .closed: throw .registrationClosed
    case .open(let code): code.map { SecureToken(text: $0).digest }
    case .invited(let code): SecureToken(text: code ?? "").digest
    }
  }
}
