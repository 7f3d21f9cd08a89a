/// Completions for fish: one line per word.
struct FishCompletions {
  let app: CommandDeclaration
  let commands: [CommandDeclaration]

  var script: String {
    var lines = [
      "# Completions of lifesignal for fish, made by “lifesignal completions fish”.",
      "complete -c lifesignal -f",
    ]
    for command in commands {
      lines.append(line(app, "-a \(command.name) -d \(Self.quoted(command.summary))"))
    }
    for command in [app] + commands {
      for argument in command.arguments {
        lines += argument.choices.map { choice in
          line(command, "-a \(choice.name) -d \(Self.quoted(choice.help))")
        }
        switch CompletedValue(argument) {
        case .file: lines.append(line(command, "-F"))
        case .contact: lines.append(line(command, "-a \(Self.quoted(Self.contacts(command)))"))
        case .command:
          lines += commands.map { line(command, "-a \($0.name) -d \(Self.quoted($0.summary))") }
        case .choices, .text: break
        }
      }
      lines += command.shownOptions.map { line(command, words(of: $0, command)) }
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ command: CommandDeclaration, _ words: String) -> String {
    let place =
      command.name.isEmpty
      ? "__fish_use_subcommand" : "__fish_seen_subcommand_from \(command.name)"
    return "complete -c lifesignal -n \(Self.quoted(place)) \(words)"
  }

  private func words(of option: OptionDeclaration, _ command: CommandDeclaration) -> String {
    var words = option.letter.map { "-s \($0) " } ?? ""
    words += "-l \(option.name) "
    if option.takesValue {
      switch CompletedValue(option) {
      case .choices(let choices): words += "-x -a \(Self.quoted(choices.joined(separator: " "))) "
      case .file: words += "-r -F "
      case .contact: words += "-x -a \(Self.quoted(Self.contacts(command))) "
      case .command, .text: words += "-x "
      }
    }
    return words + "-d \(Self.quoted(option.help))"
  }

  private static func contacts(_ command: CommandDeclaration) -> String {
    "(lifesignal \(CompleteCommand.declaration.name) \(command.name) 2>/dev/null)"
  }

  /// Quotes a text. Within single quotes, fish knows two escapes.
  static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
