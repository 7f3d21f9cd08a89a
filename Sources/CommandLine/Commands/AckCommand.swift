import Clients
import Composable
import Domain

/// `lifesignal ack`: takes the code that a responder was sent (ESC-2, CON-3).
struct AckCommand: StoreCommand {
  var code: String
  @Dependency(\.responseClient) var responseClient
  @Dependency(\.watchClient) var watchClient

  static let declaration = CommandDeclaration(
    "ack", "Acknowledge an alert with a responder's code",
    discussion: [
      "Every alert message has a code for the person it was sent to. Type it here, or have"
        + " the responder read it to you. The alert is then acknowledged: the messages stop"
        + " repeating, and the other responders are notified who is responding.",
      "The code from a message that named someone as a contact declines: it removes them. See"
        + " lifesignal decline.",
      "You don't need to be signed in, and no passphrase is needed.",
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
      report.warnings.append("The other responders aren't notified yet: \(error.errorDescription)")
    }
    return report
  }
}
