public import Composable

/// Secrets, each under a name such as `smtp-password`. They never appear in arguments, logs, exports
/// or recordings.
///
/// They are looked for in systemd's credentials, then where a command of `config.json5` gives them,
/// then in the desktop's keyring, then in a file that only its owner may read.
public struct KeychainClient: ClientInterface {
  /// The secret, or `nil` when there is none.
  @Endpoint("KeychainClient.get")
  public var get: @Sendable (_ name: String) async throws(KeychainError) -> String?
  /// Keeps it in the file, from which a monitor can read it without a desktop, and takes it out of
  /// the keyring.
  @Endpoint("KeychainClient.set")
  public var set: @Sendable (_ name: String, _ secret: String) async throws(KeychainError) -> Void
  /// Takes it out of the file and the keyring. Deleting one that is not there is no error.
  @Endpoint("KeychainClient.delete")
  public var delete: @Sendable (_ name: String) async throws(KeychainError) -> Void
  /// Where ``get`` has it from, or `nil` when there is none.
  @Endpoint("KeychainClient.source")
  public var source: @Sendable (_ name: String) async throws(KeychainError) -> SecretSource?
  /// Keeps it in the desktop's keyring, and takes it out of the file.
  /// - Throws: ``KeychainError/unavailable(_:)`` where there is none.
  @Endpoint("KeychainClient.keepInKeyring")
  public var keepInKeyring:
    @Sendable (_ name: String, _ secret: String) async throws(KeychainError) -> Void

  public init() {}

  /// The name of the token of the last sign-in.
  public static let sessionToken = "session"
  /// The name of the token of an account that was asked for by its address.
  public static func sessionToken(of email: String) -> String { "session-" + email.lowercased() }

  /// Whether a name is that of a session's token.
  public static func isSessionToken(_ name: String) -> Bool { name.hasPrefix(sessionToken) }

  /// The name of the SMTP account's password.
  public static let smtpPassword = "smtp-password"
  /// The name of the token with which the error log is sent.
  public static let errorLogToken = "error-log-token"
}

extension DependencyValues {
  public var keychainClient: KeychainClient {
    get { self[KeychainClient.self] }
    set { self[KeychainClient.self] = newValue }
  }
}
