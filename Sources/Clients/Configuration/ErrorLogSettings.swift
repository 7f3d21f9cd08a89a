import Domain

/// The service to which the error log is sent as well, if the person wants that. Its lines contain
/// codes, names of errors and places in the program; never a name, an address, a number or a note.
public struct ErrorLogSettings: Equatable, Sendable {
  /// The URL, which takes lines of JSON by POST.
  public var url: String
  /// The command that prints the access token, instead of the keychain.
  public var tokenCommand: SecretCommand?

  public init(url: String, tokenCommand: SecretCommand? = nil) {
    self.url = url
    self.tokenCommand = tokenCommand
  }

  /// The part of the address that can be shown.
  public var host: String {
    let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
    return String(rest.prefix { $0 != "/" && $0 != "?" })
  }
}

/// `error_log: {url: "https://logs.example.org/lifesignal"}`
struct ErrorLogSection: ConfigurationSection {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case url
    case tokenCommand = "token_command"
  }

  private var url: String
  private var tokenCommand: SecretCommandSection?

  func checked(_ text: String) throws(ConfigurationError) -> ErrorLogSettings {
    ErrorLogSettings(
      url: try text.address(url, in: "error_log", takesQuery: true),
      tokenCommand: try tokenCommand.map { command throws(ConfigurationError) in
        try command.checked(text, "token_command", in: "error_log")
      })
  }
}
