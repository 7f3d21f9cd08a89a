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
  @Endpoint("UserClient.updateProfile", gate: .changeAddress, asksPassword: true)
  public var updateProfile: @Sendable (Profile) async throws(ClientError) -> User
  /// Changes when the person is reminded, how long after a deadline the responders are notified,
  /// and how often again (REM-1, ESC-1, ESC-2), starting with the running deadline. Warning the
  /// person less or bringing help later needs the gate's passphrase (CHK-3).
  @Endpoint("UserClient.updateEscalation", gate: .weakenEscalation)
  public var updateEscalation:
    @Sendable (_ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan)
      async throws(ClientError) -> User
  /// Allows or forbids check-ins by the link in a message (CHK-8). Allowing them needs the gate's
  /// passphrase; forbidding them needs none, and earlier links no longer work.
  /// - Throws: ``ClientError/gate(_:)``.
  @Endpoint("UserClient.allowLinkCheckIn", gate: .allowLinks)
  public var allowLinkCheckIn: @Sendable (Bool) async throws(ClientError) -> User
  /// Turns signs of life on or off (CHK-10). Turning them on needs the gate's passphrase, as whatever
  /// postpones help does, and is then refused, because no sign counts with a gate; turning them off
  /// needs none.
  /// - Throws: ``ClientError/gate(_:)``, ``ClientError/signsWithGate``.
  @Endpoint("UserClient.allowSigns", gate: .allowSigns)
  public var allowSigns: @Sendable (Bool) async throws(ClientError) -> User
  /// The account now, then after every change by anyone; ends when the consumer is cancelled.
  @StreamEndpoint("UserClient.observeCurrentUser")
  public var observeCurrentUser: @Sendable () -> AsyncThrowingStream<User, any Error>

  public init() {}
}

extension DependencyValues {
  public var userClient: UserClient {
    get { self[UserClient.self] }
    set { self[UserClient.self] = newValue }
  }
}
