/// The help of the program and its commands, made from their declarations.
enum HelpText {
  /// Lines are wrapped to this many columns.
  static let width = 80

  /// The help of the program: what it is, its commands and options.
  static var program: String {
    let specification = Specifications.program
    let commands = Specifications.commands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
    return """
      \(specification.summary).

      Usage: lifesignal [OPTION]…
             lifesignal COMMAND [OPTION]…

      \(wrapped(specification.discussion))

      Commands:
      \(table(commands))

      Options:
      \(table(rows(specification.options)))

      “lifesignal help COMMAND” says more about a command.

      """
  }

  /// The help of a command.
  static func command(_ specification: CommandSpecification) -> String {
    var text = "\(specification.summary).\n\nUsage: \(usage(specification))\n"
    if !specification.discussion.isEmpty { text += "\n\(wrapped(specification.discussion))\n" }
    if !specification.arguments.isEmpty {
      text += "\nArguments:\n"
      text += table(specification.arguments.map { ($0.name, $0.help) }) + "\n"
    }
    text += "\nOptions:\n\(table(rows(specification.options)))\n"
    return text
  }

  /// `lifesignal alert on|off [--message TEXT]`, wrapped under its first word.
  static func usage(_ specification: CommandSpecification) -> String {
    let words =
      specification.arguments.map { $0.isOptional ? "[\($0.name)]" : $0.name }
      + specification.options.map { option in
        (option.isRequired ? option.usage : "[\(option.usage)]")
          + (option.isRepeatable ? "…" : "")
      }
    var lines = ["lifesignal \(specification.name)"]
    for word in words {
      if lines[lines.count - 1].count + word.count + 1 > width - 7 {
        lines.append("  " + word)
      } else {
        lines[lines.count - 1] += " " + word
      }
    }
    return lines.joined(separator: "\n       ")
  }

  private static func rows(_ options: [OptionSpecification]) -> [(String, String)] {
    (options + Specifications.everywhere).map { option in
      let choices = option.choices.map { " (\($0.joined(separator: ", ")))" } ?? ""
      return (option.usage, option.help + choices)
    }
  }

  /// Two columns, the second wrapped.
  private static func table(_ rows: [(String, String)]) -> String {
    let left = min(24, rows.map(\.0.count).max() ?? 0)
    return rows.map { name, help in
      let indent = String(repeating: " ", count: left + 4)
      let text = wrapped(help, columns: width - indent.count)
        .split(separator: "\n").joined(separator: "\n" + indent)
      if name.count > left { return "  \(name)\n\(indent)\(text)" }
      return "  \(name)\(String(repeating: " ", count: left - name.count + 2))\(text)"
    }.joined(separator: "\n")
  }

  /// The text with its paragraphs broken between words.
  static func wrapped(_ text: String, columns: Int = width) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
      var lines = [""]
      for word in paragraph.split(separator: " ") {
        let last = lines[lines.count - 1]
        if !last.isEmpty, last.count + word.count + 1 > columns {
          lines.append(String(word))
        } else {
          lines[lines.count - 1] = last.isEmpty ? String(word) : last + " " + word
        }
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
