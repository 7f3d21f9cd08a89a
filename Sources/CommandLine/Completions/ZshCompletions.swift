/// Completions for zsh: a function that describes each word.
struct ZshCompletions {
  let app: CommandDeclaration
  let commands: [CommandDeclaration]

  var script: String {
    """
    #compdef lifesignal
    # Completions of lifesignal for zsh, made by “lifesignal completions zsh”.
    _lifesignal_contacts() {
      compadd -M 'm:{[:lower:]}={[:upper:]}' -- ${(f)"$(${words[1]} \(CompleteCommand.declaration.name) "$command" 2>/dev/null)"}
    }
    _lifesignal() {
      local -a found
      local command='' previous=${words[CURRENT-1]} i
      for ((i = 2; i < CURRENT; i++)); do
        case ${words[i]} in
          (\(valueOptions)) ((i++)) ;;
          (-*) ;;
          (*) command=${words[i]}; break ;;
        esac
      done
      case $command:$previous in
    \(valueCases.indented(by: 4))
      esac
      case $command in
    \(wordCases.indented(by: 4))
      esac
      _describe -t words lifesignal found
    }
    if [[ ${funcstack[1]} == _lifesignal ]]; then
      _lifesignal "$@"
    else
      compdef _lifesignal lifesignal
    fi
    """
  }

  private var valueOptions: String {
    app.shownOptions.filter(\.takesValue).map(\.spelling).joined(separator: "|")
  }

  private var valueCases: [String] {
    ([app] + commands).flatMap { command in
      command.shownOptions.filter(\.takesValue).map { option in
        let answer =
          switch CompletedValue(option) {
          case .choices(let choices):
            "compadd -- \(choices.map(\.shellQuoted).joined(separator: " "))"
          case .file: "_files"
          case .contact: "_lifesignal_contacts"
          case .command, .text: "_message \((option.placeholder ?? "").shellQuoted)"
          }
        return "(\(command.name):\(option.spelling)) \(answer); return ;;"
      }
    }
  }

  private var wordCases: [String] {
    ([app] + commands).map { command in
      var words = command.shownOptions.map { Self.word($0.spelling, $0.help) }
      if command.name.isEmpty { words = commands.map { Self.word($0.name, $0.summary) } + words }
      var answer = ""
      for argument in command.arguments {
        words = argument.choices.map { Self.word($0.name, $0.help) } + words
        switch CompletedValue(argument) {
        case .file: answer = "[[ $PREFIX == -* ]] || _files; "
        case .contact: answer = "[[ $PREFIX == -* ]] || _lifesignal_contacts; "
        case .command: words = commands.map { Self.word($0.name, $0.summary) } + words
        case .choices, .text: break
        }
      }
      return "(\(command.name.shellQuoted)) \(answer)found=(\(words.joined(separator: " "))) ;;"
    }
  }

  /// Returns a word and its description, separated by a colon.
  private static func word(_ word: String, _ help: String) -> String {
    (word.replacing(":", with: "\\:") + ":" + help).shellQuoted
  }
}
