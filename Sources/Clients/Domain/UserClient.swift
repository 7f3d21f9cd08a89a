public import Composable
public import Domain

/// The account of the signed-in person.
public struct UserClient: Sendable {
  public var currentUser: @Sendable () async throws(UserError) -> User
  /// Changes name, phone, note and e-mail; not a check-in. Another e-mail address needs the password
  /// where there is one, and the passphrase of the gate where one is replaced or taken away (AUTH-5).
  /// - Throws: ``UserError/invalidCredentials``, ``UserError/gate(_:)``.
  public var updateProfile:
    @Sendable (Profile, _ password: Secret<String>?, _ passphrase: Secret<String>?)
      async throws(UserError) -> User
  /// Changes when the person is reminded, how long after a deadline the responders are told, and how
  /// often again (REM-1, ESC-1, ESC-2); the running deadline goes by it at once. What warns the person
  /// less or brings help later passes the gate (CHK-3).
  public var updateEscalation:
    @Sendable (
      _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan,
      _ passphrase: Secret<String>?
    ) async throws(UserError) -> User
  /// The account now, then after every change by anyone; ends when the consumer is cancelled.
  public var observeCurrentUser: @Sendable () -> AsyncThrowingStream<User, any Error>

  public init(
    currentUser: @escaping @Sendable () async throws(UserError) -> User,
    updateProfile:
      @escaping @Sendable (Profile, Secret<String>?, Secret<String>?) async throws(UserError)
      -> User,
    updateEscalation:
      @escaping @Sendable ([TimeSpan], TimeSpan, TimeSpan, Secret<String>?) async throws(UserError)
      -> User,
    observeCurrentUser: @escaping @Sendable () -> AsyncThrowingStream<User, any Error>
  ) {
    self.currentUser = currentUser
    self.updateProfile = updateProfile
    self.updateEscalation = updateEscalation
    self.observeCurrentUser = observeCurrentUser
  }

  /// Changes the profile where neither a password nor a gate asks.
  public func updateProfile(_ profile: Profile) async throws(UserError) -> User {
    try await updateProfile(profile, nil, nil)
  }

  /// Changes reminders, grace and repeats where there is no gate.
  public func updateEscalation(
    _ reminders: [TimeSpan], _ grace: TimeSpan, _ repeatInterval: TimeSpan
  ) async throws(UserError) -> User {
    try await updateEscalation(reminders, grace, repeatInterval, nil)
  }
}

extension UserClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      currentUser: unimplemented(
        "UserClient.currentUser", throwing: UserError.unimplemented("UserClient.currentUser")),
      updateProfile: unimplemented(
        "UserClient.updateProfile", throwing: UserError.unimplemented("UserClient.updateProfile")),
      updateEscalation: unimplemented(
        "UserClient.updateEscalation",
        throwing: UserError.unimplemented("UserClient.updateEscalation")),
      observeCurrentUser: unimplemented("UserClient.observeCurrentUser", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var userClient: UserClient {
    get { self[UserClient.self] }
    set { self[UserClient.self] = newValue }
  }
}
