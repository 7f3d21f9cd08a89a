import Clients
import Composable
import Domain

/// `lifesignal __complete`: prints the contacts' names for shell completion. Prints nothing else
/// even on errors, and never creates a store.
struct CompleteCommand: PlainCommand {
  static let declaration = CommandDeclaration("__complete", "List the names of your contacts") {
    _ in
    { _ in CompleteCommand() }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    guard let folders = try? invocation.folders(),
      invocation.machine.entry(folders.database) != .nothing,
      let contacts = try? await invocation.clients(folders)?.contactsClient.contacts()
    else { return Report() }
    return Report(contacts.map(\.name))
  }
}
