/// What `config.json5` says, as far as it may be believed.
public struct SavedConfiguration: Equatable, Sendable {
  /// Without its commands where somebody else could have written them.
  public let configuration: Configuration
  /// Who else may change the file; `nil` where nobody may.
  public let exposure: ConfigurationExposure?

  /// - Parameter exposure: Takes the commands out of the configuration.
  public init(
    _ configuration: Configuration = Configuration(), exposure: ConfigurationExposure? = nil
  ) {
    var (configuration, exposure) = (configuration, exposure)
    if exposure != nil { exposure?.withheld = configuration.removeCommands() }
    self.configuration = configuration
    self.exposure = exposure
  }

  /// The command that gives a secret; `nil` where none is configured.
  /// - Throws: ``KeychainError/unavailable(_:)`` for one that is not to be run, so that no other place
  ///   is tried: an older password could lock the account.
  public func secretCommand(_ name: String) throws(KeychainError) -> SecretCommand? {
    if let exposure, exposure.withheld.contains(where: { $0.secret == name }) {
      throw .unavailable(exposure.problem)
    }
    return configuration.secretCommand(name)
  }
}

/// A setting that names a program to run.
public enum ConfigurationCommand: String, Equatable, CaseIterable, Sendable {
  case sendmail
  case passwordCommand = "smtp.password_command"
  case tokenCommand = "error_log.token_command"

  /// The secret that the program gives; `nil` for one that does something else.
  public var secret: String? {
    switch self {
    case .sendmail: nil
    case .passwordCommand: KeychainClient.smtpPassword
    case .tokenCommand: KeychainClient.errorLogToken
    }
  }
}

extension Configuration {
  /// Takes out every setting that names a program to run.
  /// - Returns: those that there were.
  fileprivate mutating func removeCommands() -> [ConfigurationCommand] {
    var removed: [ConfigurationCommand] = []
    if sendmail != nil { removed.append(.sendmail) }
    sendmail = nil
    if smtp?.passwordCommand != nil { removed.append(.passwordCommand) }
    smtp?.passwordCommand = nil
    if errorLog?.tokenCommand != nil { removed.append(.tokenCommand) }
    errorLog?.tokenCommand = nil
    return removed
  }
}
