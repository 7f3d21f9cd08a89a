import Clients
import Composable
import Domain

/// `lifesignal contacts`.
struct ContactsCommand {
  var asJSON: Bool

  func run(_ console: Console) async throws(ContactsError) -> ExitCode {
    @Dependency(\.contactsClient) var contactsClient
    let contacts = try await contactsClient.contacts()
    if asJSON {
      console.say(JSONText.array(contacts.map(json)))
    } else if contacts.isEmpty {
      console.say("You have no contacts yet. Add one in the app: press 2, then a.")
    } else {
      for contact in contacts { console.say(line(contact)) }
    }
    return .ok
  }

  private func json(_ contact: Contact) -> String {
    JSONText.object([
      ("name", JSONText.string(contact.name)),
      ("roles", JSONText.array(contact.roles.names.map(JSONText.string))),
      ("email", JSONText.optional(contact.email)),
      ("phone", JSONText.optional(contact.phone)),
    ])
  }

  private func line(_ contact: Contact) -> String {
    let reach = [contact.email, contact.phone].compactMap(\.self).joined(separator: ", ")
    let roles = contact.roles.names.joined(separator: " and ")
    return "\(contact.name) (\(roles))\(reach.isEmpty ? "" : ": \(reach)")"
  }
}

extension Roles {
  /// `responder`, `dependent`, or both.
  var names: [String] {
    (contains(.responder) ? ["responder"] : []) + (contains(.dependent) ? ["dependent"] : [])
  }
}
