public import Composable

/// Secrets, each under a name such as `smtp-password`. They never appear in arguments, logs, exports
/// or recordings.
public struct KeychainClient: Sendable {
  /// The secret, or `nil` when there is none.
  public var get: @Sendable (_ name: String) async throws(KeychainError) -> String?
  public var set: @Sendable (_ name: String, _ secret: String) async throws(KeychainError) -> Void
  /// Deleting one that is not there is no error.
  public var delete: @Sendable (_ name: String) async throws(KeychainError) -> Void

  public init(
    get: @escaping @Sendable (String) async throws(KeychainError) -> String?,
    set: @escaping @Sendable (String, String) async throws(KeychainError) -> Void,
    delete: @escaping @Sendable (String) async throws(KeychainError) -> Void
  ) {
    self.get = get
    self.set = set
    self.delete = delete
  }

  /// The name of the token of whoever signed in last.
  public static let sessionToken = "session"
  /// The name of the token of an account that was asked for by its address.
  public static func sessionToken(of email: String) -> String { "session-" + email.lowercased() }

  /// The name of the SMTP account's password.
  public static let smtpPassword = "smtp-password"
}

extension KeychainClient: TestDependencyKey {
  public static var testValue: Self {
    func missing(_ name: String) -> KeychainError { .unimplemented("KeychainClient.\(name)") }
    return Self(
      get: unimplemented("KeychainClient.get", throwing: missing("get")),
      set: unimplemented("KeychainClient.set", throwing: missing("set")),
      delete: unimplemented("KeychainClient.delete", throwing: missing("delete")))
  }
}

extension DependencyValues {
  public var keychainClient: KeychainClient {
    get { self[KeychainClient.self] }
    set { self[KeychainClient.self] = newValue }
  }
}
