import Domain

/// A command as it is written and explained, and how it is made from what was written.
///
/// The parser, the help texts and the manual page are made from these values, so that none of them
/// can say what another does not.
struct CommandDeclaration: Sendable {
  /// The word that chooses it; empty for the app.
  var name: String
  /// What it does, in one line without a period.
  var summary: String
  /// Paragraphs that say more.
  var discussion: [String] = []
  var arguments: [ArgumentDeclaration] = []
  /// Without `--help` and `--version`, which every command takes.
  var options: [OptionDeclaration] = []
  /// Options that no help text mentions.
  var hiddenOptions: [OptionDeclaration] = []
  /// Whether it works for one account, which `--as` chooses.
  var takesAccount = true
  /// Exit codes of its own, beside those of every command.
  var exitCodes: [ExitCodeDeclaration] = []
  var make: @Sendable (ParsedArguments) throws(UsageError) -> any Subcommand

  struct ExitCodeDeclaration: Equatable, Sendable {
    var code: ExitCode
    var help: String
  }

  /// `lifesignal init`.
  var invocation: String { name.isEmpty ? "lifesignal" : "lifesignal \(name)" }

  /// All options that it takes.
  var allOptions: [OptionDeclaration] { shownOptions + hiddenOptions }

  /// The options that its help text explains.
  var shownOptions: [OptionDeclaration] {
    options + (takesAccount ? [Self.account.declaration] : []) + [.help, .version]
  }

  /// The account that a command works for (AUTH-1).
  static let account = Option(
    OptionDeclaration(
      name: "as", placeholder: "EMAIL",
      help: "Work for the account with this address (default: whoever signed in last)"),
    read: byRule(ProfileRules.email))

  /// The option of a token such as `--interval`, `--interval=36h` or `-h`.
  func option(of token: String) -> OptionDeclaration? {
    if token.hasPrefix("--") {
      let name = token.dropFirst(2).prefix { $0 != "=" }
      return allOptions.first { $0.name == name }
    }
    guard token.count == 2, token.first == "-" else { return nil }
    return allOptions.first { $0.letter == token.last }
  }

  /// `lifesignal init --name NAME [OPTION]…`.
  var usage: String {
    var words = [invocation] + arguments.map(\.usage)
    words += options.filter(\.isRequired).map(\.usage)
    if options.contains(where: { !$0.isRequired }) { words.append("[OPTION]…") }
    return words.joined(separator: " ")
  }
}
