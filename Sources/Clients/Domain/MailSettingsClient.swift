public import Composable
public import Domain

/// The mail account through which the monitors of this machine send (ONB-4).
public struct MailSettingsClient: ClientInterface {
  /// Returns the account or the sendmail in `config.json5`, or `nil` if there is neither.
  @Endpoint("MailSettingsClient.settings")
  public var settings: @Sendable () async throws(ClientError) -> MailTransport?
  /// Saves the account in `config.json5`, and its password in the keychain.
  /// - Parameter password: `nil` keeps the saved one. None is saved for an account without a user
  ///   name.
  /// - Throws: ``ClientError/settings(_:)``, ``ClientError/keychain(_:)`` and ``ClientError/gate(_:)``.
  @Endpoint("MailSettingsClient.save")
  public var save:
    @Sendable (SMTPSettings, _ password: Secret<String>?, _ passphrase: Secret<String>?)
      async throws(ClientError) -> Void
  /// Restores the account and the password as they were when ``settings`` was last called, because
  /// those saved since don't work. Changes that others have made in the meantime stay.
  /// - Throws: ``ClientError/settings(_:)`` and ``ClientError/keychain(_:)``.
  @Endpoint("MailSettingsClient.restore")
  public var restore: @Sendable () async throws(ClientError) -> Void

  public init() {}
}

extension DependencyValues {
  public var mailSettingsClient: MailSettingsClient {
    get { self[MailSettingsClient.self] }
    set { self[MailSettingsClient.self] = newValue }
  }
}
