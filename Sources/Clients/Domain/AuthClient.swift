public import Composable
public import Domain
public import FoundationEssentials

/// Who is using this store (AUTH-1).
///
/// On the embedded store the first account needs no password: whoever can open the file is its
/// person.
public struct AuthClient: Sendable {
  /// The signed-in account, or `nil` before the onboarding.
  public var currentUserID: @Sendable () async throws(AuthError) -> User.ID?
  /// Opens the local account with its first responders; the deadline starts running now (ONB-3).
  public var createAccount: @Sendable (NewAccount) async throws(AuthError) -> User

  public init(
    currentUserID: @escaping @Sendable () async throws(AuthError) -> User.ID?,
    createAccount: @escaping @Sendable (NewAccount) async throws(AuthError) -> User
  ) {
    self.currentUserID = currentUserID
    self.createAccount = createAccount
  }
}

extension AuthClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      currentUserID: unimplemented(
        "AuthClient.currentUserID", throwing: AuthError.unimplemented("AuthClient.currentUserID")),
      createAccount: unimplemented(
        "AuthClient.createAccount", throwing: AuthError.unimplemented("AuthClient.createAccount")))
  }
}

extension DependencyValues {
  public var authClient: AuthClient {
    get { self[AuthClient.self] }
    set { self[AuthClient.self] = newValue }
  }
}
