/// A shell whose completions can be made from the declarations of the commands.
enum CompletionShell: String, NamedValue {
  case bash, zsh, fish

  /// What the shell has to read.
  /// - Parameters:
  ///   - app: What runs without a command.
  ///   - commands: All commands.
  func script(app: CommandDeclaration, commands: [CommandDeclaration]) -> String {
    switch self {
    case .bash: BashCompletions(app: app, commands: commands).script
    case .zsh: ZshCompletions(app: app, commands: commands).script
    case .fish: FishCompletions(app: app, commands: commands).script
    }
  }
}

/// What can be written in place of a value.
enum CompletedValue: Equatable {
  case choices([String])
  case file
  /// The name of a contact, which the program lists.
  case contact
  /// Only the person knows.
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
        placeholder == "FILE" ? .file : .text
      } else {
        .choices(choices)
      }
  }
}

extension String {
  /// One word for a shell, whatever it contains: between single quotes, and single quotes between
  /// double ones.
  var shellQuoted: String { "'" + replacing("'", with: "'\"'\"'") + "'" }
}
