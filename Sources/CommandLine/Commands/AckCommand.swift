import Clients
import Composable
import Domain

/// `lifesignal ack`: acknowledges an alert with the code sent to a responder (ESC-2, CON-3).
struct AckCommand: StoreCommand {
  var code: String
  var withdraws: Bool
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
      "With --withdraw, the responder withdraws: they can't help after all. Those who were notified that"
        + " they are responding get a message, and the messages are repeated if nobody else is responding.",
      "You don't need to be signed in, and no passphrase is needed.",
    ]
  ) { syntax in
    let code = syntax.argument("CODE", "The code from the message, such as 7K3QF-9ZD2M")
    let withdraw = syntax.flag("withdraw", "Withdraw: they can't help after all")
    return { AckCommand(code: try $0.required(code), withdraws: $0.isSet(withdraw)) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    var report: Report
    if withdraws {
      try await responseClient.withdraw(code, true)
      report = Report(["They are no longer responding. Those who knew are notified."])
    } else {
      report = Report([try await responseClient.respond(code).summary])
    }
    // A monitor must send the messages about it.
    do throws(StorageError) { try await watchClient.start() } catch {
      report.warnings.append("The other responders aren't notified yet: \(error.errorDescription)")
    }
    return report
  }
}
