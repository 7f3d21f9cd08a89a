import Clients
import Composable
import Domain

/// `lifesignal decline`: takes a contact at their word that they do not want to be one (CON-3).
struct DeclineCommand: StoreCommand {
  var code: Secret<String>
  @Dependency(\.contactsClient) var contactsClient

  private static let code = Argument(
    ArgumentDeclaration(
      placeholder: "CODE", help: "The code from the message that named them as your contact"),
    read: { (text: String) throws(InvalidValue) in text })

  static let declaration = CommandDeclaration(
    name: "decline", summary: "Take a contact who declines off those who are told",
    discussion: [
      "Whoever you name as a responder is told so, with a code by which they may decline. When they"
        + " send it to you, this is where it goes: nothing more is sent to them, save the end of what"
        + " they were told of before."
    ],
    arguments: [code.declaration],
    make: { (arguments: ParsedArguments) throws(UsageError) in
      DeclineCommand(code: Secret(try arguments.required(code)))
    })

  func run(_ invocation: Invocation) async throws(CommandFailure) -> Report {
    let contact = try await attempt { () async throws(ContactsError) in
      try await contactsClient.declineByCode(code)
    }
    return Report(["\(contact.name) has declined, and is told nothing more."])
  }
}
