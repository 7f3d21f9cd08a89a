import Terminal

/// The help text of a command, at most 80 columns wide.
struct HelpText: Sendable {
  private let command: CommandDeclaration

  init(_ command: CommandDeclaration) { self.command = command }

  private static let columns = 80
  /// The column of the descriptions if the terms are short.
  private static let indentation = 28

  var text: String {
    var sections = [command.summary + "."]
    sections.append("Usage: \(usages.joined(separator: "\n       "))")
    sections += command.discussion.map { $0.wrapped(to: Self.columns).joined(separator: "\n") }
    if command.name.isEmpty {
      sections.append(
        section("Commands", CommandDeclaration.all.map { ($0.name, $0.summary) }))
    }
    let arguments = command.arguments.flatMap { argument in
      argument.choices.isEmpty
        ? [(argument.usage, argument.help)] : argument.choices.map { ($0.name, $0.help) }
    }
    if !arguments.isEmpty { sections.append(section("Arguments", arguments)) }
    let options = command.shownOptions
    sections.append(section("Options", options.map { ($0.helpUsage, $0.helpText) }))
    if !command.exitCodes.isEmpty {
      sections.append(
        section("Exit codes", ExitCode.explained(for: command).map { ("\($0.rawValue)", $1) }))
    }
    return sections.joined(separator: "\n\n")
  }

  private var usages: [String] {
    let usages =
      command.name.isEmpty ? [command.usage, "lifesignal COMMAND [OPTION]…"] : [command.usage]
    return usages.flatMap { $0.wrapped(to: Self.columns - "Usage: ".count) }
  }

  private func section(_ title: String, _ entries: [(term: String, text: String)]) -> String {
    let widest = entries.map(\.term.columns).max() ?? 0
    let indentation = min(Self.indentation, widest + 4)
    let blank = String(repeating: " ", count: indentation)
    var lines = ["\(title):"]
    for (term, text) in entries {
      let explanation = text.wrapped(to: Self.columns - indentation)
      let head = "  " + term
      if head.columns + 2 <= indentation {
        let gap = String(repeating: " ", count: indentation - head.columns)
        lines.append(head + gap + explanation[0])
        lines += explanation.dropFirst().map { blank + $0 }
      } else {
        lines.append(head)
        lines += explanation.map { blank + $0 }
      }
    }
    return lines.joined(separator: "\n")
  }
}

extension OptionDeclaration {
  /// `-h, --help`, `--interval DURATION`.
  var helpUsage: String { letter.map { "-\($0), \(usage)" } ?? usage }

  /// The description, marked if the option is required.
  var helpText: String { isRequired ? "\(help); required" : help }
}

extension ExitCode {
  /// Returns every exit code of a command with its meaning, in ascending order.
  static func explained(for command: CommandDeclaration) -> [(code: ExitCode, help: String)] {
    let common: [(code: ExitCode, help: String)] = [
      (.ok, "Done"), (.failure, "Failed; standard error says why"),
      (.usage, "The command line is wrong"),
    ]
    let own = command.exitCodes.map { (code: $0.code, help: $0.help) }
    return (common.filter { entry in !own.contains { $0.code == entry.code } } + own)
      .sorted { $0.code.rawValue < $1.code.rawValue }
  }
}
