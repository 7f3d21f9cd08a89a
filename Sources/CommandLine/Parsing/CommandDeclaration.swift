import Composable
import Domain

/// A command's syntax, its help, and how to create it from parsed arguments.
///
/// The parser, the help texts and the manual page are made from these values, so they can't
/// disagree.
struct CommandDeclaration: Sendable {
  /// The word that selects it; empty for the app.
  let name: String
  /// One line without a period.
  let summary: String
  /// Further paragraphs of help.
  let discussion: [String]
  let arguments: [ArgumentDeclaration]
  /// The options except `--help` and `--version`, which every command takes.
  let options: [OptionDeclaration]
  /// Options that no help text mentions.
  let hiddenOptions: [OptionDeclaration]
  /// Whether it uses one account, chosen with `--as`.
  let takesAccount: Bool
  /// The exit codes beyond those of every command.
  let exitCodes: [ExitCodeDeclaration]
  /// Creates the command from parsed arguments; throws a ``UsageError``.
  let make: Maker
  /// Where it is declared. The error log gives this as the origin of a request.
  let location: IssueLocation

  typealias Maker = @Sendable (ParsedArguments) throws -> any Subcommand

  struct ExitCodeDeclaration: Equatable, Sendable {
    var code: ExitCode
    var help: String
  }

  /// - Parameter declare: Declares the options and arguments, in the order of the help text, and
  ///   returns the closure that creates the command from them.
  init(
    _ name: String, _ summary: String, discussion: [String] = [], takesAccount: Bool = true,
    exitCodes: [ExitCodeDeclaration] = [], fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column, syntax declare: (inout CommandSyntax) -> Maker
  ) {
    var syntax = CommandSyntax()
    make = declare(&syntax)
    arguments = [syntax.verbArgument?.declaration].compactMap(\.self) + syntax.arguments
    (options, hiddenOptions) = (syntax.options, syntax.hiddenOptions)
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.takesAccount = takesAccount
    self.exitCodes = exitCodes
    location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The command's name with the program's, such as `lifesignal init`.
  var invocation: String { name.isEmpty ? "lifesignal" : "lifesignal \(name)" }

  /// Whether its words are a text, so that nothing in them is refused.
  var takesText: Bool { arguments.last?.takesRest == true }

  /// Whether it takes any number of arguments.
  var takesMoreArguments: Bool { takesText || arguments.last?.isRepeatable == true }

  /// All options that the command takes.
  var allOptions: [OptionDeclaration] { shownOptions + hiddenOptions }

  /// The options that its help text explains.
  var shownOptions: [OptionDeclaration] {
    options + (takesAccount ? [Self.account.declaration] : []) + [.help, .version]
  }

  /// The account that a command uses (AUTH-1).
  static let account: Option<String> = {
    var syntax = CommandSyntax()
    return syntax.option(
      "as", "EMAIL", "Use the account with this address (default: the last one that signed in)",
      read: ProfileRules.email)
  }()

  /// Returns the option of a token such as `--interval`, `--interval=36h` or `-h`.
  func option(of token: String) -> OptionDeclaration? {
    if token.hasPrefix("--") {
      let name = token.dropFirst(2).prefix { $0 != "=" }
      return allOptions.first { $0.name == name }
    }
    guard token.count == 2, token.first == "-" else { return nil }
    return allOptions.first { $0.letter == token.last }
  }

  /// The syntax, such as `lifesignal init --name NAME [OPTION]…`.
  var usage: String {
    var words = [invocation] + arguments.map(\.usage)
    words += options.filter(\.isRequired).map(\.usage)
    if options.contains(where: { !$0.isRequired }) { words.append("[OPTION]…") }
    return words.joined(separator: " ")
  }
}
