public import Composable
public import Domain

/// The account of the signed-in person.
public struct UserClient: ClientInterface {
  @Endpoint("UserClient.currentUser")
  public var currentUser: @Sendable () async throws(ClientError) -> User
  /// Changes name, phone, note and e-mail; not a check-in. Another e-mail address needs the password
  /// where there is one, and the passphrase of the gate where one is replaced or taken away (AUTH-5).
  /// - Throws: ``ClientError/invalidCredentials``, ``ClientError/gate(_:)``.
  @Endpoint("UserClient.updateProfile")
  public var updateProfile:
    @Sendable (Profile, _ password: Secret<String>?, _ passphrase: Secret<String>?)
      async throws(ClientError) -> User
  /// Changes when the person is reminded, how long after a deadline the responders are notified, and how
  /// often again (REM-1, ESC-1, ESC-2); the running deadline goes by it at once. What warns the person
  /// less or brings help later passes the gate (CHK-3).
  @Endpoint("UserClient.updateEscalation")
  public var updateEscalation:
    @Sendable (
      _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan,
      _ passphrase: Secret<String>?
    ) async throws(ClientError) -> User
  /// Allows or forbids checking in by a link of a message (CHK-8). Allowing it passes the gate; forbidding it
  /// asks for nothing, and no link of before counts any more.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("UserClient.allowLinkCheckIn")
  public var allowLinkCheckIn:
    @Sendable (Bool, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// The account now, then after every change by anyone; ends when the consumer is cancelled.
  @StreamEndpoint("UserClient.observeCurrentUser")
  public var observeCurrentUser: @Sendable () -> AsyncThrowingStream<User, any Error>

  public init() {}

  /// Changes the profile where neither a password nor a gate asks.
  public func updateProfile(_ profile: Profile) async throws(ClientError) -> User {
    try await updateProfile(profile, nil, nil)
  }

  /// Changes reminders, grace and repeats where there is no gate.
  public func updateEscalation(
    _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan
  ) async throws(ClientError) -> User {
    try await updateEscalation(reminders, grace, repeatInterval, nil)
  }
}

extension DependencyValues {
  public var userClient: UserClient {
    get { self[UserClient.self] }
    set { self[UserClient.self] = newValue }
  }
}
