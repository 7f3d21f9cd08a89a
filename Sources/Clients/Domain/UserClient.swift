public import Composable
public import Domain

/// The account of the signed-in person.
public struct UserClient: Sendable {
  public var currentUser: @Sendable () async throws(UserError) -> User
  /// Changes name, phone, note and e-mail; not a check-in.
  public var updateProfile: @Sendable (Profile) async throws(UserError) -> User
  /// The account now, then after every change by anyone; ends when the consumer is cancelled.
  public var observeCurrentUser: @Sendable () -> AsyncThrowingStream<User, any Error>

  public init(
    currentUser: @escaping @Sendable () async throws(UserError) -> User,
    updateProfile: @escaping @Sendable (Profile) async throws(UserError) -> User,
    observeCurrentUser: @escaping @Sendable () -> AsyncThrowingStream<User, any Error>
  ) {
    self.currentUser = currentUser
    self.updateProfile = updateProfile
    self.observeCurrentUser = observeCurrentUser
  }
}

extension UserClient: TestDependencyKey {
  public static var testValue: Self {
    Self(
      currentUser: unimplemented(
        "UserClient.currentUser", throwing: UserError.unimplemented("UserClient.currentUser")),
      updateProfile: unimplemented(
        "UserClient.updateProfile", throwing: UserError.unimplemented("UserClient.updateProfile")),
      observeCurrentUser: unimplemented("UserClient.observeCurrentUser", placeholder: .finished()))
  }
}

extension DependencyValues {
  public var userClient: UserClient {
    get { self[UserClient.self] }
    set { self[UserClient.self] = newValue }
  }
}
