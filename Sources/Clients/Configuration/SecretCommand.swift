/// A program that prints a secret on its standard output, such as a password manager.
///
/// It is run without a shell: no word is expanded or split.
public struct SecretCommand: Equatable, Codable, Sendable {
  /// The program – an absolute path, or a name that is looked for in `PATH` – and its arguments.
  public let arguments: [String]
  public var program: String { arguments[0] }

  /// - Returns: `nil` for arguments that don't name a program.
  public init?(_ arguments: [String]) {
    guard let program = arguments.first, !program.isEmpty, arguments.count <= 64,
      program.hasPrefix("/") || !program.utf8.contains(UInt8(ascii: "/")),
      !arguments.contains(where: { word in
        word.unicodeScalars.contains { $0.properties.generalCategory == .control }
      })
    else { return nil }
    self.arguments = arguments
  }
}

/// `password_command: ["pass", "show", "mail"]`
struct SecretCommandSection: Decodable {
  private var arguments: [String]

  init(from decoder: any Decoder) throws {
    // A value of another type gets the error below, which says what to write.
    arguments = (try? decoder.singleValueContainer().decode([String].self)) ?? []
  }

  func checked(
    _ text: String, _ key: String, in section: String
  ) throws(ConfigurationError) -> SecretCommand {
    guard let command = SecretCommand(arguments) else {
      throw ConfigurationError(
        line: text.line(ofKey: key, in: section),
        reason: "\(section).\(key) must be a list of words that begins with a program, such as"
          + " [“pass”, “show”, “mail”]")
    }
    return command
  }
}

extension Configuration {
  /// Returns the command that prints a secret, or `nil` if none is configured.
  public func secretCommand(_ name: String) -> SecretCommand? {
    switch name {
    case KeychainClient.smtpPassword: smtp?.passwordCommand
    case KeychainClient.smtpToken: smtp?.tokenCommand
    case KeychainClient.errorLogToken: errorLog?.tokenCommand
    default: nil
    }
  }
}
