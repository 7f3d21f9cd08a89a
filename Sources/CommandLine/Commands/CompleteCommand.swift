import Clients
import Composable
import Domain

/// `lifesignal __complete`: prints the contacts' names for shell completion. Prints nothing else
/// even on errors, and never creates a store.
struct CompleteCommand: PlainCommand {
  /// The command whose argument is completed, or `nil`.
  var command: String?

  static let declaration = CommandDeclaration("__complete", "List the names of your contacts") {
    syntax in
    let command = syntax.argument(
      "COMMAND", "The command that the names are for", isRequired: false)
    return { CompleteCommand(command: try $0.value(of: command)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    guard let folders = try? invocation.folders(),
      invocation.machine.entry(folders.database) != .nothing,
      let contacts = try? await invocation.clients(folders)?.contactsClient.contacts()
    else { return Report() }
    let isPing = command == PingCommand.declaration.name
    return Report(contacts.filter { !isPing || $0.isPingable }.map(\.name))
  }
}
