import Domain

/// Where the lines of the error log are sent besides the file, where the person asked for it. They hold
/// codes, names of errors and places in the program; never a name, an address, a number or a note.
public struct ErrorLogSettings: Equatable, Sendable {
  /// Takes lines of JSON by POST.
  public var url: String
  /// What gives the token with which they are sent, instead of the keychain.
  public var tokenCommand: SecretCommand?

  public init(url: String, tokenCommand: SecretCommand? = nil) {
    self.url = url
    self.tokenCommand = tokenCommand
  }

  /// The part of the address that may be shown.
  public var host: String {
    let rest = url.drop { $0 != "/" }.drop { $0 == "/" }
    return String(rest.prefix { $0 != "/" && $0 != "?" })
  }
}

/// `error_log: {url: "https://logs.example.org/lifesignal"}`
struct ErrorLogSection: Decodable {
  private var url: String
  private var tokenCommand: SecretCommandSection?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    try container.refuseUnknown(["url", "token_command"])
    url = try container.decode(String.self, forKey: AnyKey("url"))
    tokenCommand = try container.decodeIfPresent(
      SecretCommandSection.self, forKey: AnyKey("token_command"))
  }

  func checked(_ text: String) throws(ConfigurationError) -> ErrorLogSettings {
    // The rule of a webhook's address holds here as well: https, or this machine.
    guard let address = try? Channel.Kind.webhook.checkedAddress(url) else {
      throw ConfigurationError(
        line: text.line(ofKey: "url", in: "error_log"),
        reason: "error_log.url must be an https address")
    }
    return ErrorLogSettings(
      url: address,
      tokenCommand: try tokenCommand.map { command throws(ConfigurationError) in
        try command.checked(text, "token_command", in: "error_log")
      })
  }
}
