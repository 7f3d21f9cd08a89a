import Clients
import Composable
import Domain

/// `lifesignal __complete`: the names of the contacts, for the completions of a shell. It says nothing
/// else, whatever goes wrong, and makes no store.
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
