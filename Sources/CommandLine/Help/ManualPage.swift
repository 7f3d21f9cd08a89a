/// The manual page `lifesignal(1)` in the roff of the man macros, made from the declarations.
enum ManualPage {
  static var text: String {
    var lines = [
      ".\\\" Made by “lifesignal help --man”; edit the declarations of the commands instead.",
      ".TH LIFESIGNAL 1 \"\" \"lifesignal \(Version.current)\" \"User Commands\"",
      ".SH NAME",
      "lifesignal \\- check in, or somebody is told",
      ".SH SYNOPSIS",
    ]
    lines += synopsis(.app)
    for command in CommandDeclaration.all { lines += [".br"] + synopsis(command) }
    lines += [".SH DESCRIPTION"] + paragraphs(CommandDeclaration.app.discussion)
    lines += [".SH OPTIONS"]
    lines += CommandDeclaration.app.shownOptions.flatMap(entry)
    lines += [".SH COMMANDS"]
    for command in CommandDeclaration.all { lines += description(of: command) }
    lines += [".SH EXIT STATUS"]
    for (code, help) in ExitCode.explained(for: StatusCommand.declaration)
      + ExitCode.explained(for: CheckInCommand.declaration).filter({ $0.code == .locked })
      + ExitCode.explained(for: DrillCommand.declaration).filter({ $0.code == .refused })
    {
      lines += tagged(bold("\(code.rawValue)"), help + ".")
    }
    lines += [".SH ENVIRONMENT"]
    for variable in environment { lines += tagged(bold(variable.name), variable.help) }
    lines += [".SH FILES"]
    for file in files { lines += tagged(italic(file.name), file.help) }
    lines += [".SH SEE ALSO", "The README and the folder docs of the source."]
    return lines.joined(separator: "\n")
  }

  private typealias Entry = (name: String, help: String)

  private static let environment: [Entry] = [
    ("XDG_DATA_HOME", "Where the store is kept; default ~/.local/share."),
    ("XDG_CONFIG_HOME", "Where config.json5 is looked for; default ~/.config."),
    ("XDG_STATE_HOME", "Where the monitor's log is kept; default ~/.local/state."),
    ("LIFESIGNAL_SMTP_PASSWORD", "The password of the mail account, before that of the keychain."),
    ("TERM, COLORTERM, NO_COLOR", "How many colours the app uses where --color does not say."),
    ("COLORFGBG", "The terminal's ground, where the terminal does not tell it."),
    (
      "LC_ALL, LC_CTYPE, LANG",
      "The app draws with ASCII alone when the first of them that is set is not of UTF-8."
    ),
    ("TZ", "The time zone in which times are shown."),
  ]

  private static let files: [Entry] = [
    ("~/.local/share/lifesignal/lifesignal.db", "The store, readable by you only."),
    ("~/.local/share/lifesignal/secrets.json", "What lifesignal keychain keeps."),
    (
      "~/.config/lifesignal/config.json5",
      "How mail is handed in. Where others may write it, no program that it names is run."
    ),
    ("~/.local/state/lifesignal/monitor.log", "What a monitor that the app started has to say."),
  ]

  private static func description(of command: CommandDeclaration) -> [String] {
    var lines = [".SS \(escaped(command.name))", escaped(command.summary + ".")]
    lines += command.discussion.flatMap { [".PP"] + paragraphs([$0]) }
    for argument in command.arguments {
      if argument.choices.isEmpty {
        lines += tagged(italic(argument.placeholder), argument.help + ".")
      }
      for choice in argument.choices { lines += tagged(bold(choice.name), choice.help + ".") }
    }
    lines += command.options.flatMap(entry)
    return lines
  }

  private static func synopsis(_ command: CommandDeclaration) -> [String] {
    let rest = command.usage.dropFirst(command.invocation.count)
    return [bold(command.invocation) + escaped(String(rest))]
  }

  private static func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map { [escaped($0)] }.joined(separator: [".PP"]))
  }

  private static func entry(_ option: OptionDeclaration) -> [String] {
    let letter = option.letter.map { bold("-\($0)") + ", " } ?? ""
    let value = option.placeholder.map { " " + italic($0) } ?? ""
    return tagged(letter + bold(option.spelling) + value, option.helpText + ".")
  }

  private static func tagged(_ term: String, _ text: String) -> [String] {
    [".TP", term, escaped(text)]
  }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  private static func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }

  /// The text as roff shows it literally (groff_char(7)): no escapes, hyphens that can be copied,
  /// no request at the start of a line.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "'" where result.isEmpty: result += "\\(aq"
      case "." where result.isEmpty: result += "\\&."
      case "…": result += "..."
      default: result.append(character)
      }
    }
    return result
  }
}
