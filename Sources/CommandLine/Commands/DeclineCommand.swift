import Clients
import Composable
import Domain

/// `lifesignal decline`: removes a contact who doesn't want to be one (CON-3).
struct DeclineCommand: StoreCommand {
  var code: Secret<String>
  @Dependency(\.contactsClient) var contactsClient

  static let declaration = CommandDeclaration(
    "decline", "Remove a contact who doesn't want to be notified",
    discussion: [
      "Each person you name as a responder gets a message with a code to decline. If they"
        + " send it to you, type it here. They get no more messages, except the end of an alert"
        + " they already know about."
    ]
  ) { syntax in
    let code = syntax.argument("CODE", "The code from the message that named them as a contact")
    return { DeclineCommand(code: Secret(try $0.required(code))) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let contact = try await contactsClient.declineByCode(code)
    return Report(["\(contact.name) declined and gets no more messages."])
  }
}
