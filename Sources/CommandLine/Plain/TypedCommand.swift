/// A command of `lifesignal`, typed in the conversation.
enum TypedCommand {
  case run(any StoreCommand)
  /// The help text for a command.
  case help([String])

  /// The commands that make sense in a conversation.
  static let names = [
    "ack", "alert", "back", "channels", "contacts", "decline", "documents", "drill", "export",
    "interval", "invite", "links", "out", "pause", "ping", "schedule", "signs", "sos", "standby",
  ]

  /// What somebody may say instead of `back`, in letters.
  private static let returns: Set<String> = ["im back", "i am back"]

  private static let parser = ArgumentParser(
    app: .app, commands: CommandDeclaration.all.filter { names.contains($0.name) })

  /// - Returns: `nil` unless the first word is one of ``names``, or `help` before one.
  init?(_ line: String) throws {
    var words = Self.words(of: line)
    if words.count == 2, words[0].lowercased() == "help" { words = [words[1], "--help"] }
    if Self.returns.contains(line.lowercased().filter { $0.isLetter || $0 == " " }) {
      words = ["back"]
    }
    guard let name = words.first?.lowercased(),
      let declaration = Self.parser.commands.first(where: { $0.name == name })
    else { return nil }
    var rest = Array(words.dropFirst())
    // Don't require quotation marks around the only argument.
    if declaration.arguments.count == 1, !rest.contains(where: { $0.hasPrefix("-") }), !rest.isEmpty
    {
      rest = [rest.joined(separator: " ")]
    }
    switch try Self.parser.parse([name] + rest) {
    case .help(let command): self = .help(HelpText(command).text.lines)
    case .run(let command as any StoreCommand, as: nil, _): self = .run(command)
    case .run, .version:
      throw UsageError(
        sentence: "That command doesn't work here.",
        advice: "Quit, and start lifesignal --plain with it.")
    }
  }

  /// Splits a line at spaces; double quotes hold words together.
  static func words(of line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
      switch character {
      case "\"", "“", "”":
        isQuoted.toggle()
        word = word ?? ""
      case let space where space.isWhitespace && !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}
