/// `lifesignal help`: prints the help texts and the manual page.
struct HelpCommand: PlainCommand {
  var topic: Topic

  enum Topic: Equatable, Sendable {
    case app
    case command(String)
    case manualPage
  }

  static let declaration = CommandDeclaration(
    "help", "Show help for a command", takesAccount: false
  ) {
    syntax in
    let command = syntax.argument("COMMAND", "The command to show help for", isRequired: false) {
      text in
      let names = CommandDeclaration.all.map(\.name)
      if names.contains(text) { return text }
      let suggestion = Suggestion.nearest(to: text, among: names)
      throw InvalidValue(
        "There is no command \(quoted(text)).",
        advice: suggestion.map { "Did you mean \($0)?" }
          ?? "Try lifesignal --help. To call for help now, type lifesignal sos.")
    }
    // Hidden, because only people who build the program need it.
    let manual = syntax.flag("man", "Print the manual page in roff", isHidden: true)
    return { arguments in
      if arguments.isSet(manual) { return HelpCommand(topic: .manualPage) }
      return HelpCommand(topic: try arguments.value(of: command).map(Topic.command) ?? .app)
    }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    switch topic {
    case .manualPage: return Report(ManualPage.text.lines)
    case .app: return Report(HelpText(.app).text.lines)
    case .command(let name):
      let command = CommandDeclaration.all.first { $0.name == name } ?? .app
      return Report(HelpText(command).text.lines)
    }
  }
}

extension String {
  /// The lines of a text without a final line break.
  var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
