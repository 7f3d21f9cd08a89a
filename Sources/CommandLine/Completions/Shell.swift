import Clients

/// A shell for which there are completions and a hook for signs of life.
enum Shell: String, NamedValue {
  case bash, zsh, fish

  /// Returns the completions for the shell, made from the command declarations.
  /// - Parameters:
  ///   - app: The declaration of the app, which runs without a command.
  ///   - commands: All commands.
  func script(app: CommandDeclaration, commands: [CommandDeclaration]) -> String {
    switch self {
    case .bash: BashCompletions(app: app, commands: commands).script
    case .zsh: ZshCompletions(app: app, commands: commands).script
    case .fish: FishCompletions(app: app, commands: commands).script
    }
  }
}

/// The completions of a value.
enum CompletedValue: Equatable {
  case choices([String])
  case file
  /// A contact's name, listed by the program.
  case contact
  /// The name of a command.
  case command
  /// Free text.
  case text

  init(_ option: OptionDeclaration) {
    self.init(option.placeholder, option.choices, option.namesContact)
  }

  init(_ argument: ArgumentDeclaration) {
    self.init(argument.placeholder, argument.choices.map(\.name), argument.namesContact)
  }

  private init(_ placeholder: String?, _ choices: [String], _ namesContact: Bool) {
    self =
      if namesContact {
        .contact
      } else if choices.isEmpty {
        switch placeholder {
        case "FILE": .file
        case "COMMAND": .command
        case "CHANNEL": .choices(ServiceCatalog().services.map(\.id))
        default: .text
        }
      } else {
        .choices(choices)
      }
  }
}

extension String {
  /// The string as one shell word: in single quotes, with single quotes inside double ones.
  var shellQuoted: String { "'" + replacing("'", with: "'\"'\"'") + "'" }
}
