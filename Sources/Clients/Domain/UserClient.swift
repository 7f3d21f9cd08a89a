public import Composable
public import Domain

/// The account of the signed-in person.
public struct UserClient: ClientInterface {
  @Endpoint("UserClient.currentUser")
  public var currentUser: @Sendable () async throws(ClientError) -> User
  /// Changes name, phone, address, access, note and e-mail; not a check-in. Another e-mail address needs the
  /// password if there is one, and the gate's passphrase if an address is replaced or removed
  /// (AUTH-5).
  /// - Throws: ``ClientError/invalidCredentials``, ``ClientError/gate(_:)``.
  @Endpoint("UserClient.updateProfile")
  public var updateProfile:
    @Sendable (Profile, _ password: Secret<String>?, _ passphrase: Secret<String>?)
      async throws(ClientError) -> User
  /// Changes when the person is reminded, how long after a deadline the responders are notified,
  /// and how often again (REM-1, ESC-1, ESC-2), starting with the running deadline. Warning the
  /// person less or bringing help later needs the gate's passphrase (CHK-3).
  @Endpoint("UserClient.updateEscalation")
  public var updateEscalation:
    @Sendable (
      _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan,
      _ passphrase: Secret<String>?
    ) async throws(ClientError) -> User
  /// Allows or forbids check-ins by the link in a message (CHK-8). Allowing them needs the gate's
  /// passphrase; forbidding them needs none, and earlier links no longer work.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("UserClient.allowLinkCheckIn")
  public var allowLinkCheckIn:
    @Sendable (Bool, _ passphrase: Secret<String>?) async throws(ClientError) -> User
  /// The account now, then after every change by anyone; ends when the consumer is cancelled.
  @StreamEndpoint("UserClient.observeCurrentUser")
  public var observeCurrentUser: @Sendable () -> AsyncThrowingStream<User, any Error>

  public init() {}

  /// Changes the profile of an account that has neither a password nor a gate.
  public func updateProfile(_ profile: Profile) async throws(ClientError) -> User {
    try await updateProfile(profile, nil, nil)
  }

  /// Changes the reminders, grace and repeats of an account without a gate.
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
