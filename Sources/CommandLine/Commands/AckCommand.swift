import Clients
import Composable
import Domain

/// `lifesignal ack`: takes the code that a responder was sent (ESC-2, CON-3).
struct AckCommand: StoreCommand {
  var code: String
  @Dependency(\.responseClient) var responseClient
  @Dependency(\.watchClient) var watchClient

  private static let code = Argument(
    ArgumentDeclaration(
      placeholder: "CODE", help: "The code from the message, such as 7K3QF-9ZD2M"),
    read: { (text: String) throws(InvalidValue) in text })

  static let declaration = CommandDeclaration(
    name: "ack", summary: "Take the code that a responder was sent",
    discussion: [
      "Every call for help has a code for whom it was sent to. A responder who takes care tells it to"
        + " whoever is at this machine, or types it here: then nobody is told again, and the other"
        + " responders hear who takes care.",
      "The code from the word that somebody was named as a contact says that they do not want to be"
        + " one.",
      "Nobody has to be signed in, and no passphrase is asked: the code says that its message arrived.",
    ],
    arguments: [code.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      AckCommand(code: try arguments.required(code))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let response = try await attempt { () async throws(ResponseError) in
      try await responseClient.respond(code)
    }
    var report = Report([response.summary])
    // Somebody has to send the word of it.
    do throws(StorageError) { try await located(watchClient.start) } catch {
      report.warnings.append("The others are not told yet: \(error.errorDescription)")
    }
    return report
  }
}
