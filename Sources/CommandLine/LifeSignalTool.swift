import Clients
import Composable
import Domain
import EmbeddedPlatform
import FoundationEssentials

/// The program without its process: words in, words and an exit code out.
struct LifeSignalTool: Sendable {
  let root: CompositionRoot
  let console: Console

  init(root: CompositionRoot, console: Console) {
    self.root = root
    self.console = console
  }

  /// What a command line asks for.
  enum Request: Equatable {
    /// Words to print.
    case text(String)
    /// The app, on the embedded store.
    case app(ParsedArguments)
    /// The app on sample people, or one screen of it.
    case demo(ParsedArguments)
    /// The monitor's program, with these words.
    case monitor([String])
    /// A command that reads or writes and ends.
    case command(ParsedArguments)
  }

  func request(_ words: [String]) throws(UsageError) -> Request {
    let arguments = try ParsedArguments(words)
    let specification = Specifications.command(named: arguments.command)
    if arguments.has("version") { return .text("lifesignal \(Version.text)") }
    if arguments.has("help") {
      return .text(specification.map(HelpText.command) ?? HelpText.program)
    }
    switch arguments.command {
    case "": return .app(arguments)
    case "demo": return .demo(arguments)
    case "monitor": return .monitor(arguments.has("once") ? ["--once"] : [])
    case "help": return .text(try help(arguments))
    default: return .command(arguments)
    }
  }

  private func help(_ arguments: ParsedArguments) throws(UsageError) -> String {
    if arguments.has("man") { return ManualPage.text }
    guard let name = arguments.arguments.first else { return HelpText.program }
    guard let specification = Specifications.command(named: name) else {
      throw UsageError(message: "There is no command “\(name.clipped)”.", command: "help")
    }
    return HelpText.command(specification)
  }

  /// Says what is wrong with a command line, and where help is.
  func complain(_ error: UsageError) -> ExitCode {
    let help = error.command.isEmpty ? "lifesignal --help" : "lifesignal help \(error.command)"
    console.complain("\(error.message)\nTry “\(help)”.")
    return .usage
  }

  /// Says what went wrong and what can be done.
  func complain(_ error: ErrorText) -> ExitCode {
    var sentence = error.description
    if let recovery = error.recovery { sentence += " \(recovery)" }
    console.complain(sentence)
    return .error
  }

  /// Runs a command that reads or writes and ends.
  func run(_ arguments: ParsedArguments) async -> ExitCode {
    // The words are checked before the store is touched.
    let initCommand: InitCommand?
    let alertCommand: AlertCommand?
    let keychainCommand: KeychainCommand?
    do throws(UsageError) {
      initCommand = arguments.command == "init" ? try InitCommand(arguments) : nil
      alertCommand = arguments.command == "alert" ? try AlertCommand(arguments) : nil
      keychainCommand = arguments.command == "keychain" ? try KeychainCommand(arguments) : nil
    } catch {
      return complain(error)
    }

    var values = DependencyValues.current
    do throws(StorageError) {
      let folders = try root.folders
      if arguments.has("set-aside") { try setAside(folders) }
      try root.install(folders, &values)
    } catch {
      return complain(error.text)
    }
    if let problem = root.configurationProblem() { _ = complain(problem.text) }

    return await withDependencies {
      $0 = values
    } operation: {
      do {
        if let initCommand { return try await initCommand.run(console) }
        if let alertCommand { return try await alertCommand.run(console) }
        if let keychainCommand { return try await keychainCommand.run(console) }
        let asJSON = arguments.has("json")
        switch arguments.command {
        case "check-in": return try await CheckInCommand().run(console)
        case "status": return try await StatusCommand(asJSON: asJSON).run(console)
        case "contacts": return try await ContactsCommand(asJSON: asJSON).run(console)
        default: return complain(UsageError(message: "There is no such command."))
        }
      } catch {
        let text = (error as? any AppError)?.text ?? StorageError.unknown("\(error)").text
        return complain(text)
      }
    }
  }

  /// Keeps a damaged store under another name.
  func setAside(_ folders: Folders) throws(StorageError) {
    let place = try EmbeddedPlatform.setAside(folders: folders, now: Date())
    console.complain("The store was set aside as \(place).")
  }
}
