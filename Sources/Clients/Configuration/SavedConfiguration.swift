/// What `config.json5` says, as far as it may be believed.
public struct SavedConfiguration: Equatable, Sendable {
  /// Without its commands, and without what a secret goes to, where somebody else could have written
  /// them.
  public let configuration: Configuration
  /// Who else may change the file; `nil` where nobody may.
  public let exposure: ConfigurationExposure?

  /// - Parameter exposure: Takes ``WithheldSetting``s out of the configuration.
  public init(
    _ configuration: Configuration = Configuration(), exposure: ConfigurationExposure? = nil
  ) {
    var (configuration, exposure) = (configuration, exposure)
    if exposure != nil { exposure?.withheld = configuration.withhold() }
    self.configuration = configuration
    self.exposure = exposure
  }

  /// The command that gives a secret; `nil` where none is configured.
  /// - Throws: ``KeychainError/unavailable(_:)`` for a secret that is not to be given away, so that no
  ///   other place is tried.
  public func secretCommand(_ name: String) throws(KeychainError) -> SecretCommand? {
    if let exposure, exposure.withheld.contains(where: { $0.secret == name }) {
      throw .unavailable(exposure.problem)
    }
    return configuration.secretCommand(name)
  }
}

/// A setting that is in force only where nobody else may write it: it names a program to run, or a
/// server to which a secret goes.
public enum WithheldSetting: Equatable, CaseIterable, Sendable {
  case sendmail
  /// A server for mail with the name of an account: it gets the password.
  case login
  /// The service for the error log, which may get a token.
  case errorLog

  /// The secret that would go there; `nil` for none.
  public var secret: String? {
    switch self {
    case .sendmail: nil
    case .login: KeychainClient.smtpPassword
    case .errorLog: KeychainClient.errorLogToken
    }
  }

  /// What does not happen for it.
  var consequence: String {
    switch self {
    case .sendmail: "sendmail is not run"
    case .login: "no mail is sent with your password"
    case .errorLog: "the error log is not sent"
    }
  }
}

extension Configuration {
  /// Takes out every setting that names a program to run, or a server to which a secret goes.
  /// - Returns: those that there were.
  fileprivate mutating func withhold() -> [WithheldSetting] {
    var withheld: [WithheldSetting] = []
    if sendmail != nil { withheld.append(.sendmail) }
    sendmail = nil
    if smtp?.username != nil {
      withheld.append(.login)
      smtp = nil
    }
    // A server that asks for no name is asked for no password.
    smtp?.passwordCommand = nil
    if errorLog != nil { withheld.append(.errorLog) }
    errorLog = nil
    return withheld
  }
}
