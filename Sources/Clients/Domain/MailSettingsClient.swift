public import Composable
public import Domain

/// The mail account through which the monitors of this machine send (ONB-4).
public struct MailSettingsClient: ClientInterface {
  /// Returns the account or the sendmail in `config.json5`, or `nil` if there is neither.
  @Endpoint("MailSettingsClient.settings")
  public var settings: @Sendable () async throws(ClientError) -> MailTransport?
  /// Keeps an account and its password beside those in use, as a candidate that ``test`` tries. What
  /// is in use stays so, even if the program ends here.
  /// - Parameter password: `nil` keeps the saved one. None is saved for an account without a user
  ///   name.
  /// - Throws: ``ClientError/settings(_:)``, ``ClientError/keychain(_:)`` and ``ClientError/gate(_:)``.
  @Endpoint("MailSettingsClient.save", gate: .changeSecret)
  public var save:
    @Sendable (SMTPSettings, _ password: Secret<String>?) async throws(ClientError) -> Void
  /// Sends a test message through the candidate, to its own address. If the server accepts it, the
  /// candidate replaces the account in `config.json5` and the password in the keychain.
  /// - Throws: ``ClientError/settings(_:)`` and ``ClientError/keychain(_:)``.
  @Endpoint("MailSettingsClient.test")
  public var test: @Sendable () async throws(ClientError) -> MailTestResult
  /// Puts the candidate into use although its test failed, because the person wants it.
  /// - Throws: ``ClientError/settings(_:)`` and ``ClientError/keychain(_:)``.
  @Endpoint("MailSettingsClient.keep")
  public var keep: @Sendable () async throws(ClientError) -> Void
  /// Forgets the candidate.
  /// - Throws: ``ClientError/settings(_:)`` and ``ClientError/keychain(_:)``.
  @Endpoint("MailSettingsClient.discard")
  public var discard: @Sendable () async throws(ClientError) -> Void

  public init() {}
}

extension DependencyValues {
  public var mailSettingsClient: MailSettingsClient {
    get { self[MailSettingsClient.self] }
    set { self[MailSettingsClient.self] = newValue }
  }
}
