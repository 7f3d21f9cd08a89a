/// The contents of `config.json5`, as far as they can be trusted.
public struct SavedConfiguration: Equatable, Sendable {
  /// The settings, without those that are withheld because someone else could have written them.
  public let configuration: Configuration
  /// Who else can change the file, or `nil` if nobody can.
  public let exposure: ConfigurationExposure?

  /// - Parameter exposure: If it is not `nil`, every ``WithheldSetting`` is removed from the
  ///   configuration.
  public init(
    _ configuration: Configuration = Configuration(), exposure: ConfigurationExposure? = nil
  ) {
    var (configuration, exposure) = (configuration, exposure)
    if exposure != nil { exposure?.withheld = configuration.withhold() }
    self.configuration = configuration
    self.exposure = exposure
  }

  /// Returns the command that prints a secret, or `nil` if none is configured.
  /// - Throws: ``KeychainError/unavailable(_:)`` for a secret that must not be given away, so that
  ///   no other source is tried.
  public func secretCommand(_ name: String) throws(KeychainError) -> SecretCommand? {
    if let exposure, exposure.withheld.contains(where: { $0.secrets.contains(name) }) {
      throw .unavailable(exposure.problem)
    }
    return configuration.secretCommand(name)
  }
}

/// A setting that is used only if nobody else can write the file: it names a program to run, or a
/// server that gets a secret.
public enum WithheldSetting: Equatable, CaseIterable, Sendable {
  case sendmail
  /// A mail server with a user name, which gets the password or token.
  case login
  /// The service for the error log, which can get a token.
  case errorLog

  /// The secrets that would be sent there.
  public var secrets: [String] {
    switch self {
    case .sendmail: []
    case .login: [KeychainClient.smtpPassword, KeychainClient.smtpToken]
    case .errorLog: [KeychainClient.errorLogToken]
    }
  }

  /// What doesn't happen because of it.
  var consequence: String {
    switch self {
    case .sendmail: "sendmail is not run"
    case .login: "no mail is sent with your password"
    case .errorLog: "the error log is not sent"
    }
  }
}

extension Configuration {
  /// Removes every setting that names a program to run, or a server that gets a secret.
  /// - Returns: The settings that were removed.
  fileprivate mutating func withhold() -> [WithheldSetting] {
    var withheld: [WithheldSetting] = []
    if sendmail != nil { withheld.append(.sendmail) }
    sendmail = nil
    if smtp?.username != nil {
      withheld.append(.login)
      smtp = nil
    }
    // A server that needs no user name gets no password.
    smtp?.passwordCommand = nil
    if errorLog != nil { withheld.append(.errorLog) }
    errorLog = nil
    return withheld
  }
}
