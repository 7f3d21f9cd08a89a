public import Composable
public import Domain
public import FoundationEssentials

/// The accounts of this store, and who is signed in (AUTH-1).
///
/// In an embedded store the first account needs no password: anyone who can open the file is its
/// person. Further accounts sign in with e-mail address and password, and so does the first once it
/// has a password.
public struct AuthClient: ClientInterface {
  /// The address of the account given with `--as`, or `nil` for the one that signed in last.
  public var requestedAddress: @Sendable () -> String? = unimplemented(
    "AuthClient.requestedAddress", placeholder: nil)
  /// Returns whether an account is signed in.
  @Endpoint("AuthClient.state")
  public var state: @Sendable () async throws(ClientError) -> AuthState
  /// ``state`` now and after every change: signing in and out here, and a session that expired or
  /// was revoked elsewhere.
  @StreamEndpoint("AuthClient.observeState")
  public var observeState: @Sendable () -> AsyncThrowingStream<AuthState, any Error>
  /// Opens an account with its first responders and signs it in; the deadline starts running now
  /// (ONB-3).
  /// - Throws: ``ClientError/accountExists`` for a further account without credentials,
  ///   ``ClientError/emailAlreadyInUse``.
  @Endpoint("AuthClient.createAccount")
  public var createAccount: @Sendable (NewAccount) async throws(ClientError) -> User
  /// Checks that credentials could open a further account, before the onboarding asks for the rest.
  /// - Throws: ``ClientError/emailAlreadyInUse``, or ``ClientError/invalid(_:)`` for a weak password.
  @Endpoint("AuthClient.checkSignUp")
  public var checkSignUp: @Sendable (Credentials) async throws(ClientError) -> Void
  /// Starts a session.
  /// - Throws: ``ClientError/invalidCredentials``, ``ClientError/tooManyAttempts(until:)``.
  @Endpoint("AuthClient.signIn")
  public var signIn: @Sendable (Credentials) async throws(ClientError) -> User.ID
  /// Ends this program's session.
  @Endpoint("AuthClient.signOut")
  public var signOut: @Sendable () async throws(ClientError) -> Void
  /// Sets, changes or, with `nil`, removes the password; other sessions end. Only the account that
  /// was opened first can be without one.
  /// - Parameter current: The current password, or `nil` if there is none.
  @Endpoint("AuthClient.updatePassword", gate: .changePassword)
  public var updatePassword:
    @Sendable (_ current: Secret<String>?, _ new: Secret<String>?) async throws(ClientError) -> Void
  /// Mails a code to a person who forgot their password. If there is no such account, it behaves
  /// the same.
  @Endpoint("AuthClient.sendPasswordReset")
  public var sendPasswordReset: @Sendable (_ email: String) async throws(ClientError) -> Void
  /// Sets a new password with that code; every session ends.
  /// - Throws: ``ClientError/resetCodeInvalid``.
  @Endpoint("AuthClient.resetPassword")
  public var resetPassword:
    @Sendable (_ email: String, _ code: String, _ new: Secret<String>) async throws(ClientError) ->
      Void
  /// Mails another code to a new e-mail address of the signed-in account that has not been confirmed.
  @Endpoint("AuthClient.sendAddressCode")
  public var sendAddressCode: @Sendable () async throws(ClientError) -> Void
  /// Confirms the new address, which from then on signs in and gets codes for a new password
  /// (AUTH-5).
  /// - Throws: ``ClientError/resetCodeInvalid``.
  @Endpoint("AuthClient.confirmAddress")
  public var confirmAddress: @Sendable (_ code: String) async throws(ClientError) -> Void
  /// Undoes a change with a code that was mailed ("This wasn't me"): restores an address that was
  /// replaced in the last seven days, or cancels an operation that waits after a password reset.
  /// Every session ends. Nobody needs to be signed in (AUTH-5).
  /// - Throws: ``ClientError/resetCodeInvalid``.
  @Endpoint("AuthClient.takeBack")
  public var takeBack: @Sendable (_ code: String) async throws(ClientError) -> Void
  /// Returns the signed-in account's sessions, last used first.
  @Endpoint("AuthClient.sessions")
  public var sessions: @Sendable () async throws(ClientError) -> [Session]
  /// Ends a session, including this program's own.
  @Endpoint("AuthClient.revokeSession")
  public var revokeSession: @Sendable (Session.ID) async throws(ClientError) -> Void
  /// Ends every session except this program's own.
  @Endpoint("AuthClient.revokeOtherSessions")
  public var revokeOtherSessions: @Sendable () async throws(ClientError) -> Void
  /// Sets, changes or, with `nil`, removes the passphrase gate (CHK-3). With the duress passphrase
  /// nothing changes, a silent alert is raised, and nothing shows it.
  @Endpoint("AuthClient.updateGate", gate: .changeGate)
  public var updateGate: @Sendable (_ new: Gate?) async throws(ClientError) -> Void
  /// Returns the silent alert that is on, or `nil`. Only the true passphrase reveals it; any other
  /// that opens the gate gets `nil` (CHK-3). Without a gate any passphrase is accepted. The caller
  /// has the passphrase typed first: a gate that was removed under duress doesn't ask for one.
  @Endpoint("AuthClient.silentAlert", gate: .endSilentAlert)
  public var silentAlert: @Sendable () async throws(ClientError) -> Alert?
  /// Ends the silent alert, and with it an alert that was cancelled and a gate that was changed
  /// under duress. With the duress passphrase it does nothing and looks the same. The caller has
  /// the passphrase typed first, as for ``silentAlert``.
  @Endpoint("AuthClient.endSilentAlert", gate: .endSilentAlert)
  public var endSilentAlert: @Sendable () async throws(ClientError) -> Void
  /// Passes the gate for an operation on the machine rather than on one account: stopping the
  /// monitor, restoring a backup. The gate is that of the signed-in person (CHK-3).
  /// - Throws: ``ClientError/gate(_:)``; ``ClientError/notAuthenticated`` if nobody is signed in
  ///   and an account has a gate.
  @Endpoint("AuthClient.passGate", gate: .stopMonitor, .restoreStore, .changeSecret)
  public var passGate: @Sendable (GatedOperation) async throws(ClientError) -> Void
  /// Deletes the signed-in account with everything in it (AUTH-4): those who knew it are notified,
  /// an active alert is cancelled with a notice to its responders, relations end on both sides. A
  /// silent alert is not cancelled: deleting an account under duress must not end it (CHK-3).
  /// - Parameter password: The account's password, or `nil` if there is none.
  @Endpoint("AuthClient.deleteAccount", gate: .deleteAccount)
  public var deleteAccount:
    @Sendable (_ password: Secret<String>?) async throws(ClientError) -> Void

  public init() {}

  /// Returns the signed-in account, or `nil`.
  public func currentUserID() async throws(ClientError) -> User.ID? {
    guard case .signedIn(let id) = try await state() else { return nil }
    return id
  }
}

extension DependencyValues {
  public var authClient: AuthClient {
    get { self[AuthClient.self] }
    set { self[AuthClient.self] = newValue }
  }
}
