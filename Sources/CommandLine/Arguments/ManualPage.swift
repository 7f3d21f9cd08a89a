/// The manual page in man(7) format, made from the same declarations as the help.
enum ManualPage {
  static var text: String {
    let program = Specifications.program
    var lines = [
      ".TH LIFESIGNAL 1 \"\" \"LifeSignal \(Version.text)\" \"User Commands\"",
      ".SH NAME",
      "lifesignal \\- \(escaped(program.summary.lowercasedFirst))",
      ".SH SYNOPSIS",
      ".B lifesignal",
      "[\\fIOPTION\\fR]…",
      ".br",
      ".B lifesignal",
      "\\fICOMMAND\\fR [\\fIOPTION\\fR]…",
      ".SH DESCRIPTION",
    ]
    for paragraph in program.discussion.split(separator: "\n", omittingEmptySubsequences: true) {
      lines += [escaped(String(paragraph)), ".PP"]
    }
    lines += [".SH OPTIONS"] + options(program.options + Specifications.everywhere)
    lines += [".SH COMMANDS"]
    for command in Specifications.commands where !command.isHidden {
      lines += [".SS " + escaped(HelpText.usage(command).replacing("\n       ", with: " "))]
      lines += [escaped(command.summary + ".")]
      if !command.discussion.isEmpty { lines += [escaped(command.discussion)] }
      for argument in command.arguments {
        lines += [".TP", "\\fI\(escaped(argument.name))\\fR", escaped(argument.help)]
      }
      // The app's own options are described once.
      lines += options(command.name == "demo" ? Array(command.options.suffix(3)) : command.options)
    }
    lines += [
      ".SH EXIT STATUS",
      "0 success; 1 an error, said on standard error; 2 the command line cannot be understood.",
      "\\fBstatus\\fR: 0 all is well, 10 due soon, 20 overdue or non\\-responsive, 30 alert.",
      ".SH FILES",
      ".TP", "\\fI$XDG_DATA_HOME/lifesignal/lifesignal.db\\fR", "The store.",
      ".TP", "\\fI$XDG_CONFIG_HOME/lifesignal/config.json5\\fR", "The mail account.",
      ".TP", "\\fI$XDG_STATE_HOME/lifesignal/monitor.log\\fR",
      "What a monitor that was started by the app has to say.",
      ".SH ENVIRONMENT",
      ".TP", "\\fBLIFESIGNAL_SMTP_PASSWORD\\fR",
      "The mail account's password; it goes before the keychain's.",
      ".TP", "\\fBNO_COLOR\\fR", "No colours, whatever its value.",
      ".SH SEE ALSO",
      ".BR lifesignal\\-monitor ,",
      "the program that \\fBlifesignal monitor\\fR starts.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func options(_ options: [OptionSpecification]) -> [String] {
    options.flatMap { option in
      let choices = option.choices.map { " (\($0.joined(separator: ", ")))" } ?? ""
      let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
      return [
        ".TP", "\\fB\\-\\-\(escaped(option.name))\\fR\(value)",
        escaped(option.help.capitalizedFirst + choices + "."),
      ]
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
      .replacing("“", with: "\\(lq").replacing("”", with: "\\(rq")
      .split(separator: "\n", omittingEmptySubsequences: false)
      // A line must not begin with a control character of roff.
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
  }
}

extension String {
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
