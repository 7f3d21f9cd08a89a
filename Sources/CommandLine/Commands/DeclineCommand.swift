import Clients
import Composable
import Domain

/// `lifesignal decline`: takes a contact at their word that they do not want to be one (CON-3).
struct DeclineCommand: StoreCommand {
  var code: Secret<String>
  @Dependency(\.contactsClient) var contactsClient

  static let declaration = CommandDeclaration(
    "decline", "Take a contact who declines off those who are told",
    discussion: [
      "Whoever you name as a responder is told so, with a code by which they may decline. When they"
        + " send it to you, this is where it goes: nothing more is sent to them, save the end of what"
        + " they were told of before."
    ]
  ) { words in
    let code = words.argument("CODE", "The code from the message that named them as your contact")
    return { DeclineCommand(code: Secret(try $0.required(code))) }
  }

  func run(_ invocation: Invocation) async throws -> Report {
    let contact = try await contactsClient.declineByCode(code)
    return Report(["\(contact.name) has declined, and is told nothing more."])
  }
}
