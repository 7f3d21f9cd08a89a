public import Composable

/// Secrets, each with a name such as `smtp-password`. They never appear in arguments, logs, exports
/// or recordings.
///
/// They are looked up in systemd's credentials, then with a command in `config.json5`, then in the
/// desktop's keyring, then in a file that only its owner can read.
public struct KeychainClient: ClientInterface {
  /// Returns a secret, or `nil` if there is none.
  @Endpoint("KeychainClient.get")
  public var get: @Sendable (_ name: String) async throws(KeychainError) -> String?
  /// Saves a secret in the file, from which a monitor can read it without a desktop, and removes it
  /// from the keyring.
  @Endpoint("KeychainClient.set")
  public var set: @Sendable (_ name: String, _ secret: String) async throws(KeychainError) -> Void
  /// Removes a secret from the file and the keyring. Deleting one that does not exist is no error.
  @Endpoint("KeychainClient.delete")
  public var delete: @Sendable (_ name: String) async throws(KeychainError) -> Void
  /// Returns where ``get`` finds a secret, or `nil` if there is none.
  @Endpoint("KeychainClient.source")
  public var source: @Sendable (_ name: String) async throws(KeychainError) -> SecretSource?
  /// Saves a secret in the desktop's keyring, and removes it from the file.
  /// - Throws: ``KeychainError/unavailable(_:)`` if there is no keyring.
  @Endpoint("KeychainClient.keepInKeyring")
  public var keepInKeyring:
    @Sendable (_ name: String, _ secret: String) async throws(KeychainError) -> Void

  public init() {}

  /// The name of the token of the last sign-in.
  public static let sessionToken = "session"
  /// Returns the name of the token of an account that was selected by its address.
  public static func sessionToken(of email: String) -> String { "session-" + email.lowercased() }

  /// Whether a name is that of a session's token.
  public static func isSessionToken(_ name: String) -> Bool { name.hasPrefix(sessionToken) }

  /// The name of the SMTP account's password.
  public static let smtpPassword = "smtp-password"
  /// The name of the SMTP account's token, for a server that takes no password.
  public static let smtpToken = "smtp-token"
  /// The name of the password of a mail account that is being tested, and isn't in use yet.
  public static let smtpCandidate = "smtp-password-candidate"
  /// The name of the token with which the error log is sent.
  public static let errorLogToken = "error-log-token"
}

extension DependencyValues {
  public var keychainClient: KeychainClient {
    get { self[KeychainClient.self] }
    set { self[KeychainClient.self] = newValue }
  }
}
