import Composable

/// Turns the words of a command line into a command.
///
/// Options can appear anywhere after the command, as `--option value` or `--option=value`. After
/// `--` every word is an argument. The app's own options can also precede the command. `--help`
/// takes precedence over any error.
struct ArgumentParser: Sendable {
  let app: CommandDeclaration
  let commands: [CommandDeclaration]

  /// A parsed command line.
  enum Request: Sendable {
    case help(CommandDeclaration)
    case version
    /// A command, the address of the account to use, and where the command is declared.
    case run(any Subcommand, as: String?, from: IssueLocation)
  }

  func parse(_ words: [String]) throws -> Request {
    guard let index = commandIndex(in: words) else { return try parse(words, for: app) }
    guard let command = command(words[index], followedBy: words[(index + 1)...].first) else {
      if CallForHelp.suggestions.contains(words[index].lowercased()) {
        throw UsageError.callForHelp(words[index])
      }
      let names = commands.map(\.name).filter { !$0.hasPrefix("_") }
      throw UsageError.unknownCommand(words[index], among: names)
    }
    var rest = words
    rest.remove(at: index)
    return try parse(rest, for: command)
  }

  /// Returns the command of a name. The ones that raise an alert are found however they are written.
  private func command(_ name: String, followedBy next: String?) -> CommandDeclaration? {
    if let command = commands.first(where: { $0.name == name }) { return command }
    guard let name = CallForHelp.command(for: name, followedBy: next) else { return nil }
    return commands.first { $0.name == name }
  }

  /// Returns the index of the command: the first word that is neither an option nor an option's
  /// value.
  private func commandIndex(in words: [String]) -> Int? {
    var index = 0
    while index < words.count {
      let word = words[index]
      if word == "--" { return nil }
      guard word.isOption else { return index }
      if let option = app.option(of: word), option.takesValue, !word.contains("=") { index += 1 }
      index += 1
    }
    return nil
  }

  private func parse(
    _ words: [String], for command: CommandDeclaration
  ) throws -> Request {
    var parsed = ParsedArguments(invocation: command.invocation, usage: command.usage)
    var firstError: UsageError?
    var asksForHelp = false
    var asksForVersion = false
    func note(_ error: UsageError) { firstError = firstError ?? error }

    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        parsed.arguments += words[index...]
        break
      }
      guard word.isOption else {
        parsed.arguments.append(word)
        continue
      }
      guard let option = command.option(of: word) else {
        if command.takesText {
          parsed.arguments += CallForHelp.words(of: word)
          continue
        }
        let owner = command.name.isEmpty ? owner(of: word) : nil
        note(.unknownOption(word, of: command, elsewhere: owner))
        continue
      }
      var value = word.firstIndex(of: "=").map { String(word[word.index(after: $0)...]) }
      if option.takesValue, value == nil, index < words.count, words[index] != "--",
        command.option(of: words[index]) == nil
      {
        value = words[index]
        index += 1
      }
      switch (option.takesValue, value) {
      case (true, nil): if !command.takesText { note(.missingValue(option, of: command)) }
      case (true, let value?):
        if !option.isRepeatable, !command.takesText, parsed.values[option.name] != nil {
          note(.repeated(option))
        }
        parsed.values[option.name, default: []].append(value)
      case (false, nil):
        if option == .help { asksForHelp = true }
        if option == .version { asksForVersion = true }
        parsed.flags.insert(option.name)
      case (false, _): if !command.takesText { note(.superfluousValue(option)) }
      }
    }
    if asksForHelp { return .help(command) }
    if asksForVersion { return .version }
    if let firstError { throw firstError }
    if parsed.arguments.count > command.arguments.count, !command.takesMoreArguments {
      throw UsageError.superfluousArgument(parsed.arguments[command.arguments.count], of: command)
    }
    let account = try parsed.value(of: CommandDeclaration.account)
    return .run(try command.make(parsed), as: account, from: command.location)
  }

  private func owner(of word: String) -> CommandDeclaration? {
    commands.first { $0.option(of: word) != nil }
  }
}

extension String {
  /// Whether it looks like an option. A single dash is an argument.
  fileprivate var isOption: Bool { utf8.count > 1 && utf8.first == UInt8(ascii: "-") }
}
