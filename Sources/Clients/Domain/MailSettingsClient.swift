public import Composable
public import Domain

/// The mail account through which the monitors of this machine send (ONB-4).
public struct MailSettingsClient: ClientInterface {
  /// The account or the sendmail in `config.json5`; `nil` where there is neither.
  @Endpoint("MailSettingsClient.settings")
  public var settings: @Sendable () async throws(ClientError) -> MailTransport?
  /// Saves the account in `config.json5`, and its password in the keychain.
  /// - Parameter password: `nil` leaves the one that is saved. None is saved for an account without a user
  ///   name.
  /// - Throws: ``ClientError/settings(_:)``, ``ClientError/keychain(_:)`` and ``ClientError/gate(_:)``.
  @Endpoint("MailSettingsClient.save")
  public var save:
    @Sendable (SMTPSettings, _ password: Secret<String>?, _ passphrase: Secret<String>?)
      async throws(ClientError) -> Void
  /// Puts back the account and the password that were there when ``settings`` was last asked: what has been
  /// saved since has not worked. What somebody else has changed in the meantime stays.
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
