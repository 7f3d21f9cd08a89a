/// Completions for bash: a function that answers from word tables.
struct BashCompletions {
  let app: CommandDeclaration
  let commands: [CommandDeclaration]

  var script: String {
    """
    # Completions of lifesignal for bash, made by “lifesignal completions bash”.
    _lifesignal_contacts() {
      local name typed=${current//\\\\/}
      typed=${typed#[\\\"\\']}
      while IFS= read -r name; do
        [[ ${name,,} == "${typed,,}"* ]] || continue
        # Inside quotes the shell takes the name as it is.
        [[ $current == [\\\"\\']* ]] || name=$(printf %q "$name")
        COMPREPLY+=("$name")
      done < <("${COMP_WORDS[0]}" \(CompleteCommand.declaration.name) "$command" 2>/dev/null)
    }
    _lifesignal() {
      local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
      local command='' words='' i
      # bash takes --option=value apart.
      if [[ $current == '=' ]]; then
        current=''
      elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD-2]}
      fi
      for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
          \(valueOptions)) ((i++)) ;;
          -*) ;;
          *) command=${COMP_WORDS[i]}; break ;;
        esac
      done
      COMPREPLY=()
      case $command:$previous in
    \(valueCases.indented(by: 4))
      esac
      case $command in
    \(wordCases.indented(by: 4))
      esac
      COMPREPLY+=($(compgen -W "$words" -- "$current"))
    }
    complete -F _lifesignal lifesignal
    """
  }

  /// The app's options that take a value, which isn't a command.
  private var valueOptions: String {
    app.shownOptions.filter(\.takesValue).map(\.spelling).joined(separator: "|")
  }

  private var valueCases: [String] {
    ([app] + commands).flatMap { command in
      command.shownOptions.filter(\.takesValue).map { option in
        let answer =
          switch CompletedValue(option) {
          case .choices(let choices): Self.answer("-W \(choices.shellWords)")
          case .file: Self.answer("-f")
          case .contact: "_lifesignal_contacts; "
          case .command, .text: ""
          }
        return "\(command.name):\(option.spelling)) \(answer)return ;;"
      }
    }
  }

  private var wordCases: [String] {
    ([app] + commands).map { command in
      var words = command.shownOptions.map(\.spelling)
      if command.name.isEmpty { words = commands.map(\.name) + words }
      var answer = ""
      for argument in command.arguments {
        switch CompletedValue(argument) {
        case .choices(let choices): words = choices + words
        case .file: answer = "[[ $current == -* ]] || { \(Self.answer("-f"))return; }; "
        case .contact: answer = "[[ $current == -* ]] || _lifesignal_contacts; "
        case .command: words = commands.map(\.name) + words
        case .text: break
        }
      }
      return "\(command.name.shellQuoted)) \(answer)words=\(words.shellWords) ;;"
    }
  }

  private static func answer(_ arguments: String) -> String {
    "COMPREPLY=($(compgen \(arguments) -- \"$current\")); "
  }
}

extension [String] {
  /// The elements as one shell word.
  fileprivate var shellWords: String { joined(separator: " ").shellQuoted }

  func indented(by columns: Int) -> String {
    map { String(repeating: " ", count: columns) + $0 }.joined(separator: "\n")
  }
}
