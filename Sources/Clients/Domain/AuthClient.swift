public import Composable
public import Domain
public import FoundationEssentials

/// Who is using this store (AUTH-1).
///
/// On the embedded store the first account needs no password: anyone who can open the file is its
/// person. Further accounts sign in with e-mail address and password, and so does the first once it
/// has one.
public struct AuthClient: ClientInterface {
  /// The address of the account that this program was asked to work for by `--as`; `nil` for the one who
  /// signed in last.
  public var requestedAddress: @Sendable () -> String? = unimplemented(
    "AuthClient.requestedAddress", placeholder: nil)
  /// Whether somebody is signed in now.
  @Endpoint("AuthClient.state")
  public var state: @Sendable () async throws(ClientError) -> AuthState
  /// ``state`` now and after every change: signing in and out here, and a session that ran out or
  /// was revoked elsewhere.
  @StreamEndpoint("AuthClient.observeState")
  public var observeState: @Sendable () -> AsyncThrowingStream<AuthState, any Error>
  /// Opens an account with its first responders and signs it in; the deadline starts running now
  /// (ONB-3).
  /// - Throws: ``ClientError/accountExists`` for a further account without credentials,
  ///   ``ClientError/emailAlreadyInUse``.
  @Endpoint("AuthClient.createAccount")
  public var createAccount: @Sendable (NewAccount) async throws(ClientError) -> User
  /// Whether credentials could open a further account, so that this is known before the onboarding.
  /// - Throws: ``ClientError/emailAlreadyInUse``, or ``ClientError/invalid(_:)`` for a weak password.
  @Endpoint("AuthClient.checkSignUp")
  public var checkSignUp: @Sendable (Credentials) async throws(ClientError) -> Void
  /// Begins a session.
  /// - Throws: ``ClientError/invalidCredentials``, ``ClientError/tooManyAttempts(until:)``.
  @Endpoint("AuthClient.signIn")
  public var signIn: @Sendable (Credentials) async throws(ClientError) -> User.ID
  /// Ends this program's session.
  @Endpoint("AuthClient.signOut")
  public var signOut: @Sendable () async throws(ClientError) -> Void
  /// Sets, changes or, with `nil`, removes the password; other sessions end. Only the account that
  /// was opened first may be without.
  /// - Parameters:
  ///   - current: The password until now; `nil` where there is none.
  ///   - passphrase: That of the gate; `nil` where there is none.
  @Endpoint("AuthClient.updatePassword")
  public var updatePassword:
    @Sendable (_ current: Secret<String>?, _ new: Secret<String>?, _ passphrase: Secret<String>?)
      async throws(ClientError) -> Void
  /// Mails a code to a person who forgot their password; does the same, and says the same, where
  /// there is no such account.
  @Endpoint("AuthClient.sendPasswordReset")
  public var sendPasswordReset: @Sendable (_ email: String) async throws(ClientError) -> Void
  /// Sets a new password by that code; every session ends.
  /// - Throws: ``ClientError/resetCodeInvalid``.
  @Endpoint("AuthClient.resetPassword")
  public var resetPassword:
    @Sendable (_ email: String, _ code: String, _ new: Secret<String>) async throws(ClientError) ->
      Void
  /// Mails another code to a new e-mail address of the signed-in account that has not been confirmed.
  @Endpoint("AuthClient.sendAddressCode")
  public var sendAddressCode: @Sendable () async throws(ClientError) -> Void
  /// Makes the new address the one that signs in and gets codes for a new password (AUTH-5).
  /// - Throws: ``ClientError/resetCodeInvalid``.
  @Endpoint("AuthClient.confirmAddress")
  public var confirmAddress: @Sendable (_ code: String) async throws(ClientError) -> Void
  /// "This wasn't me": by a code that was mailed, brings back an address that was replaced in the last
  /// seven days, or takes back what waits after a reset of the password; every session ends. Nobody
  /// need be signed in (AUTH-5).
  /// - Throws: ``ClientError/resetCodeInvalid``.
  @Endpoint("AuthClient.takeBack")
  public var takeBack: @Sendable (_ code: String) async throws(ClientError) -> Void
  /// The signed-in account's sessions, last used first.
  @Endpoint("AuthClient.sessions")
  public var sessions: @Sendable () async throws(ClientError) -> [Session]
  /// Ends a session; this program's own too.
  @Endpoint("AuthClient.revokeSession")
  public var revokeSession: @Sendable (Session.ID) async throws(ClientError) -> Void
  /// Ends every session but this program's own.
  @Endpoint("AuthClient.revokeOtherSessions")
  public var revokeOtherSessions: @Sendable () async throws(ClientError) -> Void
  /// Sets, changes or, with `nil`, removes the passphrase gate (CHK-3).
  /// - Parameter current: The passphrase until now; `nil` where there is no gate. Under duress
  ///   nothing changes, a silent alert is raised, and nothing shows it.
  @Endpoint("AuthClient.updateGate")
  public var updateGate:
    @Sendable (_ current: Secret<String>?, _ new: Gate?) async throws(ClientError) -> Void
  /// The silent alert that is on, or `nil`; told only for the true passphrase, while any other that
  /// opens the gate learns of none (CHK-3). Without a gate whatever is given will do.
  @Endpoint("AuthClient.silentAlert")
  public var silentAlert:
    @Sendable (_ passphrase: Secret<String>?) async throws(ClientError) -> Alert?
  /// Ends the silent alert, and with it an alert that was cancelled and a gate that was changed under
  /// duress; under duress it does nothing and looks the same.
  @Endpoint("AuthClient.endSilentAlert")
  public var endSilentAlert:
    @Sendable (_ passphrase: Secret<String>?) async throws(ClientError) -> Void
  /// Passes the gate for what is done to the machine rather than to one account: stopping the monitor,
  /// restoring a backup. It asks for the gate of the person who is signed in (CHK-3).
  /// - Throws: ``ClientError/gate(_:)``; ``ClientError/notAuthenticated`` where nobody is signed in and an
  ///   account has a gate.
  @Endpoint("AuthClient.passGate")
  public var passGate:
    @Sendable (GatedOperation, _ passphrase: Secret<String>?) async throws(ClientError) -> Void
  /// Deletes the signed-in account with all that is its own (AUTH-4): those who knew it are notified, an
  /// active alert is cancelled with a notice to its responders, relations end on both sides. A silent
  /// alert is not cancelled: deleting an account under duress does not end it (CHK-3).
  /// - Parameters:
  ///   - password: The account's password; `nil` where there is none.
  ///   - passphrase: That of the gate, since deleting cancels alerts; `nil` where there is none.
  @Endpoint("AuthClient.deleteAccount")
  public var deleteAccount:
    @Sendable (_ password: Secret<String>?, _ passphrase: Secret<String>?) async throws(ClientError)
      -> Void

  public init() {}

  /// Changes the password where there is no gate.
  public func updatePassword(
    _ current: Secret<String>?, _ new: Secret<String>?
  ) async throws(ClientError) { try await updatePassword(current, new, nil) }

  /// The signed-in account, or `nil`.
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
