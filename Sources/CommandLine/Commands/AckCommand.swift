import Clients
import Composable
import Domain

/// `lifesignal ack`: takes the code that a responder was sent (ESC-2, CON-3).
struct AckCommand: StoreCommand {
  var code: String
  @Dependency(\.responseClient) var responseClient
  @Dependency(\.watchClient) var watchClient

  static let declaration = CommandDeclaration(
    "ack", "Take the code that a responder was sent",
    discussion: [
      "Every call for help has a code for whom it was sent to. A responder who takes care tells it to"
        + " whoever is at this machine, or types it here: then nobody is told again, and the other"
        + " responders hear who takes care.",
      "The code from the word that somebody was named as a contact says that they do not want to be"
        + " one.",
      "Nobody has to be signed in, and no passphrase is asked: the code says that its message arrived.",
    ]
  ) { words in
    let code = words.argument("CODE", "The code from the message, such as 7K3QF-9ZD2M")
    return { AckCommand(code: try $0.required(code)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let response = try await responseClient.respond(code)
    var report = Report([response.summary])
    // Somebody has to send the word of it.
    do throws(StorageError) { try await watchClient.start() } catch {
      report.warnings.append("The others are not told yet: \(error.errorDescription)")
    }
    return report
  }
}
